"""A database of every released version is upgraded by `migrate`, and releases what it released."""

import re

import pytest

from tests.golden import differences
from tests.jobs.installation import Installation, database
from tests.upgrades import kept
from tests.upgrades.schema import schema


@pytest.mark.database
@pytest.mark.parametrize("version", kept.VERSIONS)
def test_a_kept_database_is_upgraded_and_releases_the_same_bytes(place, version, tmp_path):
    kept.load(version, place.database)

    place.run(["migrate", "--verbosity", 0], ["migrate", "--check"])

    found = kept.outcome(place, tmp_path / "out")
    assert not differences(kept.value(version, "digests"), found)


@pytest.mark.database
@pytest.mark.parametrize("version", kept.VERSIONS)
def test_an_upgraded_database_has_the_tables_and_constraints_of_a_new_one(place, version, tmp_path):
    kept.load(version, place.database)
    place.run(["migrate", "--verbosity", 0])

    with database(tmp_path) as url:
        new = schema(Installation(tmp_path, url, 1))

    assert schema(place) == new


@pytest.mark.database
def test_the_upgrade_ends_the_sessions_whose_keys_could_be_read(place):
    kept.load("0.1.0", place.database)
    place.query(
        "INSERT INTO django_session (session_key, session_data, expire_date)"
        " VALUES ('a key as it is', 'data', '2999-01-01 00:00:00+00:00')"
    )

    place.run(["migrate", "--verbosity", 0])

    assert place.count("django_session") == 0


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
    assert kept.VERSIONS[:1] == ["0.1.0"]
