"""Users, studies and who holds which role in a study."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Max

from accounts.models import Membership, Role, RoleGrant, Study, User


class NameTakenError(Exception):
    """There is a user or a study of that name already."""


@transaction.atomic
def create_user(*, name: str, password: str | None, is_simulated: bool = False) -> User:
    """A person; without a password nobody can sign in as them until one is set."""
    if User.objects.filter(username=name).exists():
        raise NameTakenError(f"there is a user {name} already")
    user = User(username=name, is_simulated=is_simulated)
    user.set_password(password)
    user.full_clean(exclude=["password"])
    user.save()
    return user


@transaction.atomic
def create_study(*, slug: str, title: str, requester: User) -> Study:
    """A study, with the person who asked for it as its first requester."""
    if Study.objects.filter(slug=slug).exists():
        raise NameTakenError(f"there is a study {slug} already")
    study = Study(slug=slug, title=title, created_by=requester)
    study.full_clean()
    study.save()
    add(study=study, user=requester, roles=[Role.REQUESTER], by=requester)
    return study


@transaction.atomic
def add(*, study: Study, user: User, roles: Iterable[Role], by: User) -> Membership:
    """Give the person these roles in the study, besides those held already."""
    # The study's row is the lock under which pseudonyms are numbered.
    Study.objects.select_for_update().get(pk=study.pk)
    membership = Membership.objects.filter(study=study, user=user).first()
    if membership is None:
        last = study.memberships.aggregate(last=Max("number"))["last"] or 0
        membership = Membership.objects.create(study=study, user=user, number=last + 1)
    for role in roles:
        RoleGrant.objects.get_or_create(
            membership=membership, role=role, defaults={"granted_by": by}
        )
    return membership
