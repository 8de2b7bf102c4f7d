"""Permissions in a study. Used by views, the API and actions that depend on a role."""

from collections.abc import Collection

from django.db.models import Exists, QuerySet

from accounts.models import Role, RoleGrant, SecondFactor, Study, User
from performance.compiled_queries import Compiled

ORGANISERS = (Role.REQUESTER, Role.ADJUDICATOR)

GRANTS = Compiled(
    lambda *, user, slug: RoleGrant.objects.filter(
        membership__study__slug=slug, membership__user=user
    ).select_related("membership__study")
)
HELD = Compiled(
    lambda *, user, study: RoleGrant.objects.filter(
        membership__study=study, membership__user=user
    ).values_list("role", "membership__study__archived_at")
)


class NotAllowedError(Exception):
    """The person lacks the role that the action needs; the message says which."""


class ArchivedError(NotAllowedError):
    """The study is archived, so that nothing in it can be changed."""


def roles(user: User, study: Study) -> set[Role]:
    return {Role(role) for role, _ in HELD.all(user=user.pk, study=study.pk)}


def study_and_roles(user: User, slug: str) -> tuple[Study, set[Role]] | None:
    """Return the study with this slug and the person's roles in it; None if they have none."""
    grants = GRANTS.all(user=user.pk, slug=slug)
    if not grants:
        return None
    return grants[0].membership.study, {Role(each.role) for each in grants}


def has_second_factor(user: User) -> bool:
    return SecondFactor.objects.filter(user=user).exists()


def lacks_second_factor(user: User, study: Study, held: set[Role]) -> bool:
    """Return whether the study requires a second factor for one of these roles, and the person has none."""
    return (
        study.requires_second_factor
        and not held.isdisjoint(ORGANISERS)
        and not has_second_factor(user)
    )


def organisers_without_second_factor(study: Study) -> QuerySet[User]:
    """Return the requesters and adjudicators who have none, by name."""
    organisers = RoleGrant.objects.filter(membership__study=study, role__in=ORGANISERS)
    people = User.objects.filter(second_factor=None, is_simulated=False, is_active=True)
    return people.filter(pk__in=organisers.values("membership__user")).order_by("username")


def studies_with_second_factor(user: User) -> QuerySet[Study]:
    """Return the studies that require a second factor of the person, by title."""
    own = RoleGrant.objects.filter(membership__user=user, role__in=ORGANISERS)
    required = Study.objects.filter(requires_second_factor=True)
    return required.filter(pk__in=own.values("membership__study")).order_by("title", "slug")


def studies_closed_to(user: User) -> QuerySet[Study]:
    """Return the studies that require a second factor of the person, who has none, by title."""
    studies = studies_with_second_factor(user)
    return studies.exclude(Exists(SecondFactor.objects.filter(user=user)))


def require(user: User, study: Study, *allowed: Role) -> None:
    """Raise NotAllowedError unless the person has one of the allowed roles in the study.

    Raises ArchivedError while the study is archived: who only reads asks `require_reader`.
    """
    rows = HELD.all(user=user.pk, study=study.pk)
    _require_role(user, study, {Role(role) for role, _ in rows}, allowed)
    if any(archived_at for _, archived_at in rows):
        raise ArchivedError(_archived_message(study))


def require_reader(user: User, study: Study, *allowed: Role) -> None:
    """Raise NotAllowedError unless the person has one of the allowed roles, also in an archived study."""
    _require_role(user, study, roles(user, study), allowed)


def require_changeable(study: Study) -> None:
    """Raise ArchivedError if the study, as it was read, is archived."""
    if study.is_archived:
        raise ArchivedError(_archived_message(study))


def _archived_message(study: Study) -> str:
    return (
        f"the study {study.slug} is archived, so nothing in it can be changed:"
        " a requester can bring it back on the page of its settings"
    )


def _require_role(user: User, study: Study, held: set[Role], allowed: Collection[Role]) -> None:
    if held.isdisjoint(allowed):
        names = " or ".join(role.value for role in allowed)
        raise NotAllowedError(f"{user.username} is not {names} in the study {study.slug}")


def require_desk(user: User, study: Study, held: set[Role] | None = None) -> None:
    """Raise NotAllowedError unless the person may judge items of the study.

    Requesters and adjudicators of a study get no desk there: they can see what annotators must not
    know. `held` are the person's roles, if they are known already.
    """
    held = roles(user, study) if held is None else held
    if Role.ANNOTATOR not in held:
        raise NotAllowedError(f"{user.username} is not annotator in the study {study.slug}")
    if not held.isdisjoint(ORGANISERS):
        raise NotAllowedError(
            f"{user.username} is requester or adjudicator in the study {study.slug}"
            " and therefore gets no desk there"
        )
    require_changeable(study)


def require_administrator(user: User) -> None:
    if not user.is_superuser:
        raise NotAllowedError(f"{user.username} is not administrator")


def may_make_studies(user: User) -> bool:
    """Return whether the person is an administrator, or requester of some study."""
    held = RoleGrant.objects.filter(membership__user=user, role=Role.REQUESTER)
    return user.is_superuser or held.exists()


def may_use_api(user: User) -> bool:
    """Return whether the person is requester or adjudicator of some study.

    Each view checks what they may do there.
    """
    return RoleGrant.objects.filter(membership__user=user, role__in=ORGANISERS).exists()


def require_may_use_api(user: User) -> None:
    if not may_use_api(user):
        raise NotAllowedError(f"{user.username} is not requester or adjudicator in any study")


def require_may_make_studies(user: User, requester: User) -> None:
    """Raise NotAllowedError unless the person may make a study with that requester.

    Only an administrator may make one for somebody else.
    """
    if not may_make_studies(user):
        raise NotAllowedError(
            f"{user.username} is neither administrator nor requester in any study"
        )
    if requester != user:
        require_administrator(user)
