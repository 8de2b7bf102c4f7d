"""Who may do what in a study. Asked by views, the API and the actions that depend on a role."""

from accounts.models import Role, RoleGrant, Study, User
from performance.compiled_queries import Compiled

GRANTS = Compiled(
    lambda *, user, slug: RoleGrant.objects.filter(
        membership__study__slug=slug, membership__user=user
    ).select_related("membership__study")
)


class NotAllowedError(Exception):
    """The person does not hold the role that the act needs; the message says which."""


def roles(user: User, study: Study) -> set[Role]:
    held = RoleGrant.objects.filter(membership__study=study, membership__user=user)
    return {Role(role) for role in held.values_list("role", flat=True)}


def study_and_roles(user: User, slug: str) -> tuple[Study, set[Role]] | None:
    """The study of this short name with the person's roles in it; None where they hold none."""
    grants = GRANTS.all(user=user.pk, slug=slug)
    if not grants:
        return None
    return grants[0].membership.study, {Role(each.role) for each in grants}


def require(user: User, study: Study, *allowed: Role) -> None:
    """Raise NotAllowedError unless the person holds one of the wanted roles in the study."""
    if not roles(user, study) & set(allowed):
        names = " or ".join(role.value for role in allowed)
        raise NotAllowedError(f"{user.username} is not {names} in the study {study.slug}")


def require_desk(user: User, study: Study, held: set[Role] | None = None) -> None:
    """Raise NotAllowedError unless the person may judge items of the study.

    Who holds requester or adjudicator in a study gets no desk there: they can see what a judgement
    must not know. `held` are the person's roles, where they are known already.
    """
    held = roles(user, study) if held is None else held
    if Role.ANNOTATOR not in held:
        raise NotAllowedError(f"{user.username} is not annotator in the study {study.slug}")
    if held & {Role.REQUESTER, Role.ADJUDICATOR}:
        raise NotAllowedError(
            f"{user.username} is requester or adjudicator in the study {study.slug}"
            " and therefore gets no desk there"
        )


def require_administrator(user: User) -> None:
    if not user.is_superuser:
        raise NotAllowedError(f"{user.username} is not administrator")


def may_make_studies(user: User) -> bool:
    """Administrators, and whoever is requester in some study."""
    held = RoleGrant.objects.filter(membership__user=user, role=Role.REQUESTER)
    return user.is_superuser or held.exists()


def may_use_api(user: User) -> bool:
    """Whoever is requester or adjudicator in some study. What they may do there is asked of each act."""
    organising = [Role.REQUESTER, Role.ADJUDICATOR]
    return RoleGrant.objects.filter(membership__user=user, role__in=organising).exists()


def require_may_use_api(user: User) -> None:
    if not may_use_api(user):
        raise NotAllowedError(f"{user.username} is not requester or adjudicator in any study")


def require_may_make_studies(user: User, requester: User) -> None:
    """Raise NotAllowedError unless the person may make a study with that requester.

    Only an administrator makes one for somebody else.
    """
    if not may_make_studies(user):
        raise NotAllowedError(
            f"{user.username} is neither administrator nor requester in any study"
        )
    if requester != user:
        require_administrator(user)
