"""The cast: alice requests, bob and dora annotate, carol adjudicates, mallory may see nothing."""

import tests.environment  # noqa: F401, I001  first: what follows reads the settings

import gc
import secrets
from collections.abc import Iterator
from unittest.mock import patch

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.middleware.csrf import CSRF_SECRET_LENGTH
from django.test import override_settings

from accounts.actions import members, studies
from accounts.models import Role, Study, User
from tests import migrated_database
from tests.factories import UserFactory
from tests.flaky import pytest_terminal_summary  # noqa: F401  a hook, found by its name
from tests.once_a_run import place_of_the_run  # noqa: F401  a fixture, found by its name
from tests.parts import (  # noqa: F401  fixtures and a hook, found by their names
    part,
    parts_in_place,
    pytest_runtest_setup,
    shared_rows,
)


pytest_plugins = ["tests.rotation"]

# What is imported and collected stays to the end: the garbage collector need not look at it.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    # A request alone makes more than the 700 objects after which Python looks for rings of them: a tenth of the time.
    gc.set_threshold(50_000, 10, 10)
    gc.enable()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_keepdb: bool,
    django_db_modify_db_settings_parallel_suffix: None,
    place_of_the_run: None,  # noqa: F811  the fixture
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """SQLite in a file of this run: in memory, other processes would not see what a test wrote."""
    if connection.vendor != "sqlite":
        return
    path = tmp_path_factory.mktemp("database") / "tests.sqlite3"
    connection.settings_dict["TEST"]["NAME"] = str(path)
    if django_db_keepdb:
        migrated_database.copy_to(path)


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool, django_db_createdb: bool) -> bool:
    """Whether the database that was copied is used, in which no migration is missing."""
    return django_db_keepdb or (connection.vendor == "sqlite" and not django_db_createdb)


@pytest.fixture(scope="session", autouse=True)
def _static_files_as_they_lie() -> Iterator[None]:
    """Nothing is collected for tests: a page names its files as they lie in static/."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    with override_settings(STORAGES={**settings.STORAGES, "staticfiles": plain}):
        yield


@pytest.fixture(scope="session", autouse=True)
def _only_content_types_after_a_flush() -> Iterator[None]:
    """After each test that commits, Django makes its own permissions anew too, which nothing here uses."""
    with patch("django.core.management.commands.flush.emit_post_migrate_signal", _content_types):
        yield


def _content_types(*args: object) -> None:
    ContentType.objects.clear_cache()
    models = [each._meta for each in apps.get_models()]
    ContentType.objects.bulk_create(
        ContentType(app_label=each.app_label, model=each.model_name) for each in models
    )


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """Real hashing is slow by design."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(scope="session", autouse=True)
def _tokens_that_spell_no_name() -> Iterator[None]:
    """A form's token is 64 letters by chance: among these, a test that some short name is not on a page
    would find it now and then."""
    with patch("django.middleware.csrf._get_new_csrf_string", _of_two_letters):
        yield


def _of_two_letters() -> str:
    # By one call of the system for all letters: every page has such a token.
    digits = format(secrets.randbits(CSRF_SECRET_LENGTH), f"0{CSRF_SECRET_LENGTH}b")
    return digits.translate(_TWO_LETTERS)


_TWO_LETTERS = str.maketrans("01", "XY")


@pytest.fixture(scope="session", autouse=True)
def _nobody_is_throttled() -> Iterator[None]:
    """Signing in asks and writes nothing besides; tests/accounts/test_throttling.py turns it on,
    and for the API tests/api/test_throttling.py."""
    with override_settings(
        AXES_ENABLED=False, API_REQUESTS_A_MINUTE=0, API_WRONG_TOKENS_A_MINUTE=0
    ):
        yield


@part
def alice() -> User:
    return UserFactory(username="alice")


@part
def study(alice: User) -> Study:
    return studies.create_study(slug="lighthouses", title="Lighthouses", requester=alice)


@part
def bob(study: Study, alice: User) -> User:
    return member(study, "bob", Role.ANNOTATOR, by=alice)


@part
def dora(study: Study, alice: User) -> User:
    return member(study, "dora", Role.ANNOTATOR, by=alice)


@part
def carol(study: Study, alice: User) -> User:
    return member(study, "carol", Role.ADJUDICATOR, by=alice)


@pytest.fixture
def mallory(db) -> User:
    return UserFactory(username="mallory")


def member(study: Study, name: str, *roles: Role, by: User) -> User:
    user = UserFactory(username=name)
    members.add(study=study, user=user, roles=roles, by=by)
    return user
