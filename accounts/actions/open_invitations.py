"""The end of the invitations of a person who is shut out: by a link they made, they could come back."""

from django.db import transaction
from django.utils import timezone

from accounts.models import Invitation, User
from audit import events


@transaction.atomic
def revoke_all(*, made_by: User, by: User) -> None:
    """Revoke the open invitations that the person made. Members who joined by them stay."""
    now = timezone.now()
    made = Invitation.objects.filter(created_by=made_by)
    states = made.states(now)
    for invitation in made.select_related("study"):
        if states[invitation.pk] != "open":
            continue
        revoked = Invitation.objects.filter(pk=invitation.pk, revoked_at=None)
        if revoked.update(revoked_at=now, revoked_by=by):
            events.record(study=invitation.study, by=by, verb="revoked", target=invitation)
