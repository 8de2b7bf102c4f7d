"""Users, studies and who holds which role in a study."""

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max, QuerySet

from accounts.models import Membership, Role, RoleGrant, Study, User


class NameTakenError(Exception):
    """There is a user or a study of that name already."""


class LastRequesterError(Exception):
    """A study is never without a requester."""


@contextlib.contextmanager
def _said_if_taken(named: QuerySet[Any], sentence: str) -> Iterator[None]:
    """Two who take one name at the same time: the database lets one in, the other is told."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        if named.exists():
            raise NameTakenError(sentence) from error
        raise


@transaction.atomic
def create_user(
    *,
    name: str,
    password: str | None,
    is_simulated: bool = False,
    is_administrator: bool = False,
) -> User:
    """A person; without a password nobody can sign in as them until one is set."""
    name = User.normalize_username(name)  # as the sign-in form does
    user = User(username=name, is_simulated=is_simulated, is_superuser=is_administrator)
    user.set_password(password)
    # Before any query: what is no name cannot be looked up.
    user.clean_fields(exclude=["password"])
    named, taken = User.objects.filter(username=name), f"there is a user {name} already"
    if named.exists():
        raise NameTakenError(taken)
    user.full_clean(exclude=["password"])
    with _said_if_taken(named, taken):
        user.save()
    return user


@transaction.atomic
def create_study(*, slug: str, title: str, requester: User) -> Study:
    """A study, with the person who asked for it as its first requester."""
    study = Study(slug=slug, title=title, created_by=requester)
    study.clean_fields()  # before any query: what is no slug cannot be looked up
    named, taken = Study.objects.filter(slug=slug), f"there is a study {slug} already"
    if named.exists():
        raise NameTakenError(taken)
    study.full_clean()
    with _said_if_taken(named, taken):
        study.save()
    add(study=study, user=requester, roles=[Role.REQUESTER], by=requester)
    return study


def lock(study: Study) -> None:
    """Wait for others who name or number something in the study; held until the transaction ends.

    Its key stays free: rows that point at the study can be added meanwhile.
    """
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)


@transaction.atomic
def add(*, study: Study, user: User, roles: Iterable[Role], by: User) -> Membership:
    """Give the person these roles in the study, besides those held already."""
    lock(study)  # pseudonyms are numbered under it
    membership = Membership.objects.filter(study=study, user=user).first()
    if membership is None:
        last = study.memberships.aggregate(last=Max("number"))["last"] or 0
        membership = Membership.objects.create(study=study, user=user, number=last + 1, added_by=by)
    for role in roles:
        RoleGrant.objects.get_or_create(
            membership=membership, role=role, defaults={"granted_by": by}
        )
    return membership


@transaction.atomic
def take_back(*, membership: Membership, roles: Iterable[Role]) -> None:
    """Take these roles from the member. Raises LastRequesterError if the study would have none left."""
    study = membership.study
    lock(study)
    RoleGrant.objects.filter(membership=membership, role__in=list(roles)).delete()
    if not Membership.objects.holding(Role.REQUESTER).filter(study=study).exists():
        raise LastRequesterError(
            f"{membership.user.username} is the last requester of the study {study.slug}:"
            " make somebody else requester first"
        )
