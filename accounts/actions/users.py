"""Creation of users, and who of them may sign in."""

from django.contrib.contenttypes.models import ContentType
from django.db import transaction

from accounts import permissions
from accounts.actions import first_steps, names, open_invitations, sessions
from accounts.actions.locks import lock_administrators
from accounts.errors import ActionError
from accounts.models import User
from audit import events


class FirstStepsDoneError(Exception):
    """The installation already has a user, or the token of the link is wrong."""


class AccessError(ActionError):
    """The user cannot be deactivated or reactivated; the message says why."""


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
    names.require_not_of_erased(user.username)
    same_name = User.objects.filter(username=user.username)
    message = f"there is a user {user.username} already"
    names.require_free(same_name, message)
    user.full_clean(exclude=["password"])
    with names.error_if_taken(same_name, message):
        user.save()
    return user


@transaction.atomic
def deactivate(*, user: User, by: User) -> None:
    """Shut the user out: sessions, API tokens and password links end, and nobody can sign in as them.

    The invitations that they made end too. What they did stays, and so do their roles. A second call changes nothing. Raises AccessError for
    oneself, so that an administrator is always left, and for a simulated user.
    """
    lock_administrators(by=by)
    if user == by:
        raise AccessError("you cannot deactivate yourself: another administrator can")
    if _set_active(user, is_active=False):
        sessions.end_everywhere(revoke_tokens=True, by=user)
        open_invitations.revoke_all(made_by=user, by=by)
        events.record(study=None, by=by, verb="deactivated", target=user)


@transaction.atomic
def reactivate(*, user: User, by: User) -> None:
    """Let the user sign in again, with the password they had. A second call changes nothing.

    Raises AccessError for a simulated user and for one who was erased.
    """
    permissions.require_administrator(by)
    if user.is_erased:
        raise AccessError(f"{user.username} was erased: nobody can be that user again")
    if _set_active(user, is_active=True):
        events.record(study=None, by=by, verb="reactivated", target=user)


def _set_active(user: User, *, is_active: bool) -> bool:
    """Return whether that changed anything. Of two at once the second waits here."""
    if user.is_simulated:
        raise AccessError(f"{user.username} is simulated and never signs in")
    others = User.objects.filter(pk=user.pk).exclude(is_active=is_active)
    return bool(others.update(is_active=is_active))


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
