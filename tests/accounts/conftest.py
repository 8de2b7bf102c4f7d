import pytest


@pytest.fixture(autouse=True)
def quick_passwords(settings):
    """Real hashing is slow by design."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
