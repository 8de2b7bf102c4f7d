"""Invitations: links that bring people into a study."""

import secrets
from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts import permissions
from accounts.actions import consent, members, users
from accounts.actions.tokens import sha256
from accounts.models import Invitation, Membership, Role, Study, User
from audit import events


class InvitationEndedError(Exception):
    """There is no such invitation, or nobody can join by it any more; the message says why."""


class NoPlaceError(Exception):
    """The invitation would give this person no desk or role; the message says why."""


END_REASONS = {
    "revoked": "This invitation was taken back.",
    "used up": "As many people as it was meant for have come by this invitation.",
    "expired": "The time of this invitation is over.",
}


@transaction.atomic
def invite(
    *, study: Study, role: Role, n_most: int | None, expires_at: datetime, note: str, by: User
) -> tuple[Invitation, str]:
    """Create an invitation; return it with the token of its link, which is not stored."""
    permissions.require(by, study, Role.REQUESTER)
    token = secrets.token_urlsafe(24)
    invitation = Invitation(
        study=study,
        role=role,
        n_most=n_most,
        expires_at=expires_at,
        note=note,
        token_sha256=sha256(token),
        created_by=by,
    )
    invitation.full_clean()
    invitation.save()
    events.record(
        study=study,
        by=by,
        verb="created",
        target=invitation,
        note=note,
        n_most=n_most,
        expires_at=expires_at.isoformat(),
    )
    return invitation, token


@transaction.atomic
def make_new_link(*, invitation: Invitation, by: User) -> str:
    """Replace the link of an open invitation, and return the token of the new one, which is not stored.

    The old link ends; what the invitation allows and who came by it stays. Raises InvitationEndedError.
    """
    permissions.require(by, invitation.study, Role.REQUESTER)
    locked = Invitation.objects.select_for_update().get(pk=invitation.pk)
    state = Invitation.objects.filter(pk=locked.pk).states(timezone.now())[locked.pk]
    if state in END_REASONS:
        raise InvitationEndedError(END_REASONS[state])
    token = secrets.token_urlsafe(24)
    locked.token_sha256 = sha256(token)
    locked.save(update_fields=["token_sha256"])
    events.record(study=invitation.study, by=by, verb="made a new link", target=invitation)
    return token


@transaction.atomic
def revoke(*, invitation: Invitation, by: User) -> None:
    """End the invitation. Members who joined by it stay. A second call changes nothing."""
    permissions.require(by, invitation.study, Role.REQUESTER)
    revoked = Invitation.objects.filter(pk=invitation.pk, revoked_at=None)
    if revoked.update(revoked_at=timezone.now(), revoked_by=by):
        events.record(study=invitation.study, by=by, verb="revoked", target=invitation)


def open_invitation(token: str, *, lock: bool = False) -> Invitation:
    """Return the open invitation of the link. Raises InvitationEndedError."""
    invitations = Invitation.objects.select_related("study", "created_by")
    if lock:
        invitations = invitations.select_for_update(of=("self",))
    invitation = invitations.filter(token_sha256=sha256(token)).first()
    if invitation is None:
        raise InvitationEndedError(
            "There is no such invitation. Is the link complete, to its last letter?"
        )
    if invitation.study.is_archived:
        raise InvitationEndedError(
            f"The study {invitation.study.title} is archived: nobody can join it at present."
        )
    state = invitations.filter(pk=invitation.pk).states(timezone.now())[invitation.pk]
    if state in END_REASONS:
        raise InvitationEndedError(END_REASONS[state])
    return invitation


def require_place(invitation: Invitation, user: User) -> None:
    """Raise NoPlaceError if the person has the role already, or would get no desk with it."""
    held, title = permissions.roles(user, invitation.study), invitation.study.title
    if not held and Membership.objects.filter(study=invitation.study, user=user).exists():
        # A link that is still open brings nobody back whom a requester let go.
        raise NoPlaceError(
            f"Your roles in {title} were taken back. Whoever is requester there can give you one again."
        )
    if invitation.role in held:
        raise NoPlaceError(f"You are {invitation.role} of {title} already.")
    if invitation.role == Role.ANNOTATOR and held:
        names = " and ".join(sorted(role.value for role in held))
        raise NoPlaceError(f"You are {names} of {title}, and this role excludes annotating there.")


@transaction.atomic
def join(*, token: str, consent_sha256: str, by: User) -> Membership:
    """Make the person a member by the link, and record that they agree to the study's text.

    Locks the invitation, so that never more people join than it allows. Raises
    InvitationEndedError, NoPlaceError or ConsentChangedError.
    """
    invitation = open_invitation(token, lock=True)
    require_place(invitation, by)
    study, role = invitation.study, Role(invitation.role)
    Invitation.objects.filter(pk=invitation.pk).update(n_used=F("n_used") + 1)
    membership = members.add(study=study, user=by, roles=[role], by=invitation.created_by)
    consent.agree(study=study, text_sha256=consent_sha256, by=by)
    events.record(
        study=study, by=by, verb="joined", target=study, role=role, invitation=invitation.pk
    )
    return membership


@transaction.atomic
def join_as_new(*, token: str, consent_sha256: str, name: str, password: str) -> Membership:
    """Create the user and `join` in one transaction."""
    open_invitation(token, lock=True)
    user = users.create_user(name=name, password=password)
    return join(token=token, consent_sha256=consent_sha256, by=user)
