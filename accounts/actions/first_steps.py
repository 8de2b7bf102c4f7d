"""An installation in which nobody is yet: who holds its link makes the first administrator.

Nothing is stored. The link is signed with the installation's key, so only who runs it can make one, and it
opens as long as there is no user.
"""

from django.core import signing

from accounts.models import User

SALT = "accounts.actions.first_steps"
SUBJECT = "first administrator"


def is_needed() -> bool:
    return not User.objects.exists()


def link_token() -> str:
    """For the address of the page that makes the first administrator: ?token=…"""
    return signing.Signer(salt=SALT).sign(SUBJECT).removeprefix(f"{SUBJECT}:")


def is_valid(token: str) -> bool:
    """Whether the token is the installation's own, and nobody has come in by it or otherwise."""
    try:
        signing.Signer(salt=SALT).unsign(f"{SUBJECT}:{token}")
    except signing.BadSignature:
        return False
    return is_needed()
