"""A database of every released version is upgraded by `migrate`, and releases what it released."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache

import pytest

from tests.config.backups import empty_place
from tests.golden import differences
from tests.jobs.installation import Installation, database
from tests.upgrades import kept
from tests.upgrades.schema import schema

SERVER = os.environ.get("DATABASE_URL", "sqlite:")


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory) -> Iterator[Callable[[str], Installation]]:
    """An installation of a version after the upgrade. Each is made once: what tests do with it does not change its tables."""
    with ExitStack() as places:

        @cache
        def upgrade(version: str) -> Installation:
            place = places.enter_context(empty_place(tmp_path_factory.mktemp("upgraded"), SERVER))
            kept.load(version, place.database)
            place.run(["migrate", "--verbosity", 0], ["migrate", "--check"])
            return place

        yield upgrade


@pytest.mark.database
@pytest.mark.parametrize("version", kept.VERSIONS)
def test_a_kept_database_is_upgraded_and_releases_the_same_bytes(upgraded, version, tmp_path):
    found = kept.outcome(upgraded(version), tmp_path / "out")

    assert not differences(kept.value(version, "digests"), found)


@pytest.mark.database
@pytest.mark.parametrize("version", kept.VERSIONS)
def test_an_upgraded_database_has_the_tables_and_constraints_of_a_new_one(
    upgraded, version, tmp_path
):
    with database(tmp_path) as url:
        new = schema(Installation(tmp_path, url, 1))

    assert schema(upgraded(version)) == new


@pytest.mark.parametrize("version", kept.VERSIONS)
def test_migrations_of_a_released_version_stay_as_they_are(version):
    before, now = kept.value(version, "migrations"), kept.migrations()

    assert {path: now.get(path) for path in before} == before


@pytest.mark.parametrize("version", kept.VERSIONS)
@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_a_kept_database_names_no_path_of_the_machine_on_which_it_was_made(version, engine):
    paths = re.findall(r"/(?:home|root|tmp|work|Users)/[^\"']*", kept.sql(version, engine))

    assert not paths


def test_the_first_version_is_kept():
    assert kept.VERSIONS[:1] == ["0.2.0"]
