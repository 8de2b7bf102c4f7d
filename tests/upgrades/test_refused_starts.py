"""A start on a database of another version ends with one sentence that says what to do."""

import subprocess
import sys

import pytest

from config.children import WORKER
from pages import database as messages
from tests.config.serving import free_port
from tests.jobs.installation import LONGEST, ROOT, installed
from tests.upgrades import kept

pytestmark = [pytest.mark.database, pytest.mark.worker]

LATER = """INSERT INTO django_migrations (app, name, applied)
    VALUES ('accounts', '9999_of_tomorrow', '2099-01-01 00:00:00+00:00')"""
LACKS = "ALTER TABLE annotation_assignment RENAME COLUMN first_part TO earlier"


def refusal(place, *command):
    """What a start that does not succeed prints; one that succeeds runs into the time limit."""
    ended = subprocess.run(
        [sys.executable, *command],
        env=place.environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    assert ended.returncode == 1
    return ended.stderr.strip()


def serve(place):
    return refusal(place, "manage.py", "serve", "--no-worker", "--port", str(free_port()))


@pytest.fixture
def present(tmp_path):
    """An installation of this version."""
    with installed(tmp_path) as made:
        yield made


def test_a_server_does_not_start_before_the_migration(present):
    present.query(kept.NEWEST_NOT_APPLIED)

    assert serve(present) == f"CommandError: {messages.EARLIER}; {messages.SEE}"


def test_a_server_does_not_start_on_the_database_of_a_later_version(present):
    present.query(LATER)

    assert serve(present) == (
        "CommandError: the database is of a later version (accounts.9999_of_tomorrow): start that"
        f" version, or put a backup back; {messages.SEE}"
    )


def test_neither_server_nor_worker_starts_on_a_database_that_lacks_a_column(present):
    present.query(LACKS)

    said = [serve(present), refusal(present, *WORKER)]

    sentence = (
        "the database lacks annotation_assignment.first_part, which this version needs: put a backup"
        f" back; {messages.SEE}"
    )
    assert said == [f"CommandError: {sentence}", f"Touchstone's worker cannot start: {sentence}"]


def test_the_page_on_upgrading_has_every_refusal():
    page = (ROOT / "docs" / "upgrading.md").read_text(encoding="utf-8")

    sentences = (messages.NOT_SET_UP, messages.EARLIER, messages.LATER, messages.LACKS)
    assert [each for each in sentences if f"| {each.partition(':')[0]}" not in page] == []
