"""Members of a study and their roles."""

from collections.abc import Collection, Iterable

from django.db import transaction
from django.db.models import Max

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.models import Membership, Role, RoleGrant, Study, User
from accounts.permissions import NotAllowedError
from audit import events


class LastRequesterError(Exception):
    """The act would leave the study without a requester."""


@transaction.atomic
def add(*, study: Study, user: User, roles: Iterable[Role], by: User) -> Membership:
    """Add to the person's roles in the study. Records no event."""
    if user.is_erased:
        raise NotAllowedError(f"{user.username} was erased and gets no role any more")
    lock_study(study)  # pseudonyms are numbered under it, and roles given and taken
    membership = Membership.objects.filter(study=study, user=user).first()
    if membership is None:
        last = study.memberships.aggregate(last=Max("number"))["last"] or 0
        membership = Membership.objects.create(study=study, user=user, number=last + 1, added_by=by)
    RoleGrant.objects.bulk_create(
        RoleGrant(membership=membership, role=role, granted_by=by)
        for role in sorted(set(roles) - permissions.roles(user, study))
    )
    return membership


@transaction.atomic
def add_member(*, study: Study, user: User, roles: Iterable[Role], by: User) -> Membership:
    permissions.require(by, study, Role.REQUESTER)
    return _grant(study, user, list(roles), by)


@transaction.atomic
def change_roles(*, membership: Membership, roles: Iterable[Role], by: User) -> None:
    """Set the member's roles.

    Raises LastRequesterError if the study would have no requester left.
    """
    study, user = membership.study, membership.user
    permissions.require(by, study, Role.REQUESTER)
    lock_study(study)
    wanted, held = set(roles), permissions.roles(user, study)
    if user.is_simulated:
        raise NotAllowedError(f"{user.username} is simulated: a rehearsal gives the roles")
    if wanted - held:
        _grant(study, user, sorted(wanted - held), by)
    if held - wanted:
        withdraw(membership=membership, roles=held - wanted, by=by)


@transaction.atomic
def hand_over(*, study: Study, to: User, by: User) -> Membership:
    """Make somebody requester, as an administrator, where the study's own requesters cannot."""
    permissions.require_administrator(by)
    if to.is_simulated:
        raise NotAllowedError(f"{to.username} is simulated and cannot be requester")
    return _grant(study, to, [Role.REQUESTER], by)


def _grant(study: Study, user: User, roles: list[Role], by: User) -> Membership:
    membership = add(study=study, user=user, roles=roles, by=by)
    names = [role.value for role in roles]
    events.record(study=study, by=by, verb="granted", target=user, roles=names)
    return membership


@transaction.atomic
def withdraw(*, membership: Membership, roles: Collection[Role], by: User) -> None:
    """Take these roles from the member. Raises LastRequesterError if no active requester is left."""
    study, user = membership.study, membership.user
    lock_study(study)
    RoleGrant.objects.filter(membership=membership, role__in=list(roles)).delete()
    requesters = Membership.objects.with_role(Role.REQUESTER).filter(user__is_active=True)
    if Role.REQUESTER in roles and not requesters.filter(study=study).exists():
        raise LastRequesterError(
            f"{user.username} is the last requester of the study {study.slug}:"
            " make somebody else requester first"
        )
    names = sorted(role.value for role in roles)
    events.record(study=study, by=by, verb="took back", target=user, roles=names)
