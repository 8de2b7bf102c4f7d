"""Creation of users."""

from django.contrib.contenttypes.models import ContentType
from django.db import transaction

from accounts import permissions
from accounts.actions import first_steps, names
from accounts.models import User
from audit import events


class FirstStepsDoneError(Exception):
    """The installation already has a user, or the token of the link is wrong."""


@transaction.atomic
def create_user(
    *, name: str, password: str | None, is_administrator: bool = False, by: User | None = None
) -> User:
    """Create a user. Without a password nobody can sign in as them until one is set.

    Without `by` the new user is recorded as their own maker. Raises NameTakenError.
    """
    if by is not None:
        permissions.require_administrator(by)
    user = _save(
        User(username=User.normalize_username(name), is_superuser=is_administrator), password
    )
    details = {"administrator": True} if is_administrator else {}
    events.record(study=None, by=by or user, verb="created", target=user, **details)
    return user


@transaction.atomic
def create_simulated_user(*, name: str) -> User:
    """Create an annotator of a rehearsal, who never signs in. The rehearsal's event names them."""
    return _save(User(username=User.normalize_username(name), is_simulated=True), None)


def _save(user: User, password: str | None) -> User:
    user.set_password(password)
    # Before any query: PostgreSQL refuses to look up text that is no name.
    user.clean_fields(exclude=["password"])
    same_name = User.objects.filter(username=user.username)
    message = f"there is a user {user.username} already"
    names.require_free(same_name, message)
    user.full_clean(exclude=["password"])
    with names.error_if_taken(same_name, message):
        user.save()
    return user


@transaction.atomic
def create_first_administrator(*, token: str, name: str, password: str) -> User:
    """Create the first administrator by the link that the server printed.

    Raises FirstStepsDoneError.
    """
    # There is no user whose row two at once could wait for; this row is there in every installation.
    ContentType.objects.select_for_update().get(app_label="accounts", model="user")
    if not first_steps.is_valid(token):
        raise FirstStepsDoneError
    return create_user(name=name, password=password, is_administrator=True)
