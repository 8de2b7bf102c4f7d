"""How passwords are hashed."""

from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher


class PasswordHasher(PBKDF2PasswordHasher):
    """PBKDF2 with SHA-256, in as many iterations as the setting says.

    A password that was hashed with another number still fits, and is hashed anew when its owner signs in.
    """

    iterations = settings.PASSWORD_ITERATIONS
