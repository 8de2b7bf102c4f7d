"""Sessions of signed-in users."""

from django.db import transaction
from django.db.models import F

from accounts.actions import tokens
from accounts.models import User


@transaction.atomic
def end_everywhere(*, revoke_tokens: bool = False, by: User) -> None:
    """End every session of the person, the present one too, and their API tokens if wanted."""
    if revoke_tokens:
        tokens.revoke_all(by=by)
    User.objects.filter(pk=by.pk).update(n_sign_outs_everywhere=F("n_sign_outs_everywhere") + 1)
