"""Acts on users and studies, with their events. They stand here because accounts knows no events."""

from collections.abc import Iterable

from django.contrib.contenttypes.models import ContentType
from django.db import transaction

from accounts import permissions
from accounts.actions import first_steps, passwords, people
from accounts.actions.passwords import LinkRefusedError
from accounts.models import Membership, Role, Study, User
from accounts.permissions import NotAllowedError
from activity.actions import events


class FirstStepsDoneError(Exception):
    """The installation has its first user already, or the link is none."""


@transaction.atomic
def create_user(
    *, name: str, password: str | None, is_administrator: bool = False, by: User | None = None
) -> User:
    """A new person; `by` nobody means that they made themselves, or were made on the command line."""
    if by is not None:
        permissions.require_administrator(by)
    user = people.create_user(name=name, password=password, is_administrator=is_administrator)
    details = {"administrator": True} if is_administrator else {}
    events.record(study=None, by=by or user, verb="created", target=user, **details)
    return user


@transaction.atomic
def create_first_administrator(*, token: str, name: str, password: str) -> User:
    """Who holds the link that the server printed. Raises FirstStepsDoneError."""
    # There is no user whose row two at once could wait for; this row is there in every installation.
    ContentType.objects.select_for_update().get(app_label="accounts", model="user")
    if not first_steps.opens(token):
        raise FirstStepsDoneError
    return create_user(name=name, password=password, is_administrator=True)


@transaction.atomic
def create_study(*, slug: str, title: str, requester: User, by: User | None = None) -> Study:
    """A new study; `by` nobody means its requester, or the command line in their name."""
    if by is not None:
        permissions.require_may_make_studies(by, requester)
    study = people.create_study(slug=slug, title=title, requester=requester)
    details = {"title": title} | ({"requester": requester.username} if by else {})
    events.record(study=study, by=by or requester, verb="created", target=study, **details)
    return study


@transaction.atomic
def describe_study(*, study: Study, by: User, **fields: str) -> list[str]:
    """Change what the study says of itself, or what people agree to. Gives the names of what changed."""
    permissions.require(by, study, Role.REQUESTER)
    people.lock(study)
    before = Study.objects.get(pk=study.pk)
    changed = {name: text for name, text in fields.items() if getattr(before, name) != text}
    if changed:
        for name, text in changed.items():
            setattr(study, name, text)
        study.full_clean(exclude=["slug"])
        study.save(update_fields=list(changed))
        old = {name: getattr(before, name) for name in changed}
        events.record(study=study, by=by, verb="described", target=study, before=old, after=changed)
    return list(changed)


@transaction.atomic
def add_member(*, study: Study, user: User, roles: Iterable[Role], by: User) -> Membership:
    permissions.require(by, study, Role.REQUESTER)
    return _grant(study, user, list(roles), by)


@transaction.atomic
def change_roles(*, membership: Membership, roles: Iterable[Role], by: User) -> None:
    """Let the member hold these roles and no others.

    Raises LastRequesterError if the study would have no requester left.
    """
    study, user = membership.study, membership.user
    permissions.require(by, study, Role.REQUESTER)
    people.lock(study)
    wanted, held = set(roles), permissions.roles(user, study)
    if user.is_simulated:
        raise NotAllowedError(f"{user.username} is simulated: a rehearsal gives the roles")
    if wanted - held:
        _grant(study, user, sorted(wanted - held), by)
    if held - wanted:
        names = sorted(role.value for role in held - wanted)
        people.take_back(membership=membership, roles=held - wanted)
        events.record(study=study, by=by, verb="took back", target=user, roles=names)


@transaction.atomic
def hand_over(*, study: Study, to: User, by: User) -> Membership:
    """An administrator makes somebody requester: nobody is there, or able, who could do it in the study."""
    permissions.require_administrator(by)
    if to.is_simulated:
        raise NotAllowedError(f"{to.username} is simulated and cannot be requester")
    return _grant(study, to, [Role.REQUESTER], by)


def _grant(study: Study, user: User, roles: list[Role], by: User) -> Membership:
    membership = people.add(study=study, user=user, roles=roles, by=by)
    names = [role.value for role in roles]
    events.record(study=study, by=by, verb="granted", target=user, roles=names)
    return membership


@transaction.atomic
def make_password_link(*, study: Study, user: User, by: User) -> str:
    """The token of a link with which a member sets a new password. Raises LinkRefusedError."""
    permissions.require(by, study, Role.REQUESTER)
    passwords.require_may_make_link(maker=by, user=user, study=study)
    events.record(study=study, by=by, verb="made a password link for", target=user)
    return passwords.link_token(user, by_administrator=False)


@transaction.atomic
def make_password_link_for_anybody(*, user: User, by: User) -> str:
    """The same by an administrator: for whoever can sign in."""
    permissions.require_administrator(by)
    if user.is_simulated:
        raise LinkRefusedError(f"{user.username} is simulated and never signs in")
    events.record(study=None, by=by, verb="made a password link for", target=user)
    return passwords.link_token(user, by_administrator=True)
