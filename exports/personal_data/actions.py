"""Erasure of a person, and the file of what is kept about them.

Erased is what says who they are: their name everywhere, what they sign in with, their consents, what they
said of themselves. What they judged and decided stays under their pseudonym, and so every figure and release stays as it was.
"""

import re
from typing import IO

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.actions import members, open_invitations, sessions, sign_ins
from accounts.actions.locks import lock_administrators
from accounts.models import BackgroundAnswer, Consent, Membership, Role, SecondFactor, Study, User
from audit import events
from exports.personal_data import document, queries
from jobs.models import Job
from jobs.transactions import snapshot


class ErasureError(Exception):
    """The person cannot be erased; the message says why, and what to do first."""


def refusal(user: User) -> str:
    """Return why the person cannot be erased now; empty if they can."""
    try:
        _require_erasable(user)
    except ErasureError as error:
        return str(error)
    return ""


@transaction.atomic
def erase(*, user: User, by: User) -> bool:
    """Erase the person for good. Returns False if they were erased already.

    Nobody can sign in as them, and their name becomes `erased-` and a number that is nobody else's.
    Items that they were handed go to others when their time is over. Raises ErasureError.
    """
    lock_administrators(by=by)
    person = User.objects.select_for_update().get(pk=user.pk)
    if person.is_erased:
        return False
    _require_erasable(person)
    name = person.username
    for membership in person.memberships.select_related("study", "user"):
        if held := permissions.roles(person, membership.study):
            members.withdraw(membership=membership, roles=held, by=by)
    open_invitations.revoke_all(made_by=person, by=by)
    _delete_credentials(person)
    Consent.objects.filter(membership__user=person).delete()
    BackgroundAnswer.objects.filter(membership__user=person).delete()
    _rename(person)
    events.rename(name, person.username)
    _rename_in_failed_jobs(person, name)
    events.record(study=None, by=person if by == person else by, verb="erased", target=person)
    return True


def _require_erasable(user: User) -> None:
    if user.is_simulated:
        raise ErasureError(f"{user.username} is simulated: there is no person to erase")
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    if user.is_superuser and not others.exists():
        raise ErasureError(
            f"{user.username} is the last administrator: make somebody else administrator first"
        )
    if studies := ", ".join(study.slug for study in _studies_of_nobody_else(user)):
        raise ErasureError(
            f"{user.username} is the only requester of {studies}:"
            " make somebody else requester there first"
        )
    unfinished = Job.objects.unfinished().filter(created_by=user).select_related("study")
    if jobs := ", ".join(f"{job} in {job.study.slug}" for job in unfinished):
        raise ErasureError(
            f"{user.username} has work that is not done ({jobs}): wait for it, or cancel it first"
        )


def _studies_of_nobody_else(user: User) -> list[Study]:
    requesters = Membership.objects.with_role(Role.REQUESTER)
    active = requesters.filter(user__is_active=True)
    own = Study.objects.filter(memberships__in=requesters.filter(user=user))
    others = Study.objects.filter(memberships__in=active.exclude(user=user))
    return list(own.exclude(pk__in=others).order_by("slug"))


def _delete_credentials(user: User) -> None:
    user.api_tokens.all().delete()
    SecondFactor.objects.filter(user=user).delete()
    for session in sessions.of_user(user):
        session.delete()
    for model in (AccessAttempt, AccessFailureLog, AccessLog):
        model.objects.filter(username=user.username).delete()
    sign_ins.forget(user)
    user.groups.clear()
    user.user_permissions.clear()


def _rename(user: User) -> None:
    user.username = user.name_if_erased
    user.first_name = user.last_name = user.email = ""
    user.last_login = None
    user.is_active = user.is_superuser = user.is_staff = False
    user.set_unusable_password()
    user.save()


def _rename_in_failed_jobs(user: User, name: str) -> None:
    """A job of somebody who lost their role failed with their name in its message.

    The name stands there as NotAllowedError writes it. Anywhere else it may be a common word.
    """
    refused = re.compile(rf"(^|: ){re.escape(name)}(?= is (?:not|neither|requester or) )")
    for job in Job.objects.filter(created_by=user, message__contains=name):
        job.message = refused.sub(rf"\g<1>{user.username}", job.message)
        job.save(update_fields=["message"])


def write(*, user: User, file: IO[bytes]) -> None:
    """Write all that is kept about the person, as it is at one moment."""
    with snapshot():
        document.write(file, queries.sections(user, timezone.now()))
