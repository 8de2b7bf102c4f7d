"""The link that makes the first administrator of an installation without users.

Nothing is stored. The link is signed with the installation's key, so only whoever runs the server
can make one. It is valid as long as there is no user.
"""

from django.core import signing

from accounts.models import User

SALT = "accounts.actions.first_steps"
SUBJECT = "first administrator"


def is_needed() -> bool:
    return not User.objects.exists()


def link_token() -> str:
    """Return the `token` parameter of the address at which the first administrator is made."""
    return signing.Signer(salt=SALT).sign(SUBJECT).removeprefix(f"{SUBJECT}:")


def is_valid(token: str) -> bool:
    """Return whether this installation signed the token and there is no user yet."""
    try:
        signing.Signer(salt=SALT).unsign(f"{SUBJECT}:{token}")
    except signing.BadSignature:
        return False
    return is_needed()
