"""Acts on users and studies, with their events. They stand here because accounts knows no events."""

from collections.abc import Iterable

from django.db import transaction

from accounts.actions import people
from accounts.models import Membership, Role, Study, User
from activity.actions import events


@transaction.atomic
def create_user(*, name: str, password: str | None, by: User | None = None) -> User:
    """A new person; `by` nobody means that they were made on the command line."""
    user = people.create_user(name=name, password=password)
    events.record(study=None, by=by or user, verb="created", target=user)
    return user


@transaction.atomic
def create_study(*, slug: str, title: str, requester: User) -> Study:
    study = people.create_study(slug=slug, title=title, requester=requester)
    events.record(study=study, by=requester, verb="created", target=study, title=title)
    return study


@transaction.atomic
def add_member(*, study: Study, user: User, roles: Iterable[Role], by: User) -> Membership:
    wanted = list(roles)
    membership = people.add(study=study, user=user, roles=wanted, by=by)
    names = [role.value for role in wanted]
    events.record(study=study, by=by, verb="granted", target=user, roles=names)
    return membership
