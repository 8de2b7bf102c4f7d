"""Errata: rows that are only added, shown with the release, and carried into the next one."""

import csv
import json

import pytest
from django.urls import reverse

from annotation.actions import reviews
from audit.models import Event
from exports.errata.actions import ErratumError, note_erratum
from exports.models import Erratum, Release
from exports.writers import csv_table
from sampling.models import Candidate
from tests.commands.command_calls import command_error, run_command
from tests.exports.judged_batches import manifest_of, release
from tests.exports.releases.stored_release import folder_of
from tests.jobs.clients import client_of
from tests.parts import part

pytestmark = pytest.mark.usefixtures("releases_of_parts")

REASON = "The year is that of the second tower."


@part
def released(first_release) -> Release:
    return Release.objects.select_related("study", "dataset").get()


@pytest.fixture
def answer_id(released) -> str:
    text = (folder_of(released) / "items.csv").read_text("utf-8")
    return next(csv.DictReader(text.splitlines()))["answer_id"]


@pytest.fixture
def noted(released, answer_id, alice) -> Erratum:
    return note_erratum(release=released, answer_id=answer_id, reason=REASON, by=alice)


def test_it_is_noted_with_who_and_when_and_the_release_stays_as_it_is(released, answer_id, alice):
    before = {
        path.name: path.read_bytes() for path in folder_of(released).rglob("*") if path.is_file()
    }

    row = note_erratum(release=released, answer_id=f" {answer_id} ", reason=f" {REASON} ", by=alice)

    after = {
        path.name: path.read_bytes() for path in folder_of(released).rglob("*") if path.is_file()
    }
    assert (row.answer_id, row.reason, row.noted_by) == (answer_id, REASON, alice)
    assert row.answer
    assert after == before
    event = Event.objects.get(verb="noted an erratum of")
    assert event.details == {"answer_id": answer_id, "reason": REASON}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answer_id": "9_9:0000"}, "has no answer 9_9:0000"),
        ({"answer_id": ""}, r"has no answer \(empty\)"),
        ({"reason": " "}, "the reason is empty"),
        ({"reason": "a\0b"}, "NUL"),
        ({"reason": "x" * 1001}, "1001 characters"),
    ],
)
def test_what_is_no_erratum_is_refused_with_the_reason(released, answer_id, alice, change, message):
    about = {"answer_id": answer_id, "reason": REASON} | change

    with pytest.raises(ErratumError, match=message):
        note_erratum(release=released, by=alice, **about)

    assert not Erratum.objects.exists()


def test_an_answer_of_any_length_can_have_one(plausibility, tmp_path, alice):
    """The csv module stops at 131,072 characters unless told otherwise."""
    text = "Long. " * 40_000
    Candidate.objects.filter(pool=plausibility.pool).update(text=text)
    release(plausibility, tmp_path / "1")
    made = Release.objects.get()
    name = next(csv_table.rows((folder_of(made) / "items.csv").read_bytes()))["answer_id"]
    limit = csv.field_size_limit(131_072)

    try:
        row = note_erratum(release=made, answer_id=name, reason=REASON, by=alice)
    finally:
        csv.field_size_limit(limit)

    assert row.answer == text


def test_the_same_erratum_is_noted_once_and_another_beside_it(noted, released, answer_id, alice):
    with pytest.raises(ErratumError, match="already"):
        note_erratum(release=released, answer_id=answer_id, reason=REASON, by=alice)

    note_erratum(release=released, answer_id=answer_id, reason="Take the first back.", by=alice)

    assert released.errata.count() == 2


def test_a_release_whose_files_were_changed_takes_none(released, answer_id, alice):
    (folder_of(released) / "items.csv").write_text("other")

    with pytest.raises(ErratumError, match="is not what was released"):
        note_erratum(release=released, answer_id=answer_id, reason=REASON, by=alice)


def test_the_next_release_has_them_in_two_files_and_its_readme_says_so(
    noted, plausibility, carol, tmp_path
):
    item = plausibility.items.get(answers__candidate__text=noted.answer)
    reviews.adjudicate(item=item, label="implausible", reason=REASON, by=carol)
    release(plausibility, tmp_path / "2")

    (row,) = json.loads((tmp_path / "2" / "errata.json").read_text("utf-8"))
    page = (tmp_path / "2" / "ERRATA.md").read_text("utf-8")

    assert (row["release"], row["answer_id"], row["reason"]) == (1, noted.answer_id, REASON)
    assert row["tier"] == ""
    assert "alice" not in json.dumps(row)
    assert f"`{noted.answer_id}`" in page
    assert "in this release: not accepted" in page
    assert "`ERRATA.md`" in (tmp_path / "2" / "README.md").read_text("utf-8")
    assert {"ERRATA.md", "errata.json"} <= manifest_of(tmp_path / "2")["files"].keys()


def test_an_answer_that_is_still_accepted_is_said_to_be(noted, plausibility, tmp_path):
    release(plausibility, tmp_path / "2")

    assert "accepted (silver)" in (tmp_path / "2" / "ERRATA.md").read_text("utf-8")


def test_without_errata_a_release_has_neither_file_nor_a_word_of_them(first_release):
    assert not (first_release / "ERRATA.md").exists()
    assert not (first_release / "errata.json").exists()
    assert "ERRATA" not in (first_release / "README.md").read_text("utf-8")


def test_the_page_of_the_release_shows_them_and_leads_to_the_form(noted, released, alice):
    page = client_of(alice).get(reverse("release", args=[released.study.slug, 1]) + "?tier=silver")
    form = reverse("release_erratum", args=[released.study.slug, 1])

    assert REASON in page.text
    assert f"{form}?answer=" in page.text


def test_the_form_notes_one_and_names_what_is_wrong(released, answer_id, alice):
    client, where = client_of(alice), reverse("release_erratum", args=[released.study.slug, 1])

    assert answer_id in client.get(where, {"answer": answer_id}).text
    wrong = client.post(where, {"answer": "9_9:0000", "reason": REASON})
    right = client.post(where, {"answer": answer_id, "reason": REASON})

    assert wrong.status_code == 400
    assert "has no answer 9_9:0000" in wrong.text
    assert right.url == reverse("release", args=[released.study.slug, 1])
    assert released.errata.get().noted_by == alice


def test_the_command_notes_one(released, answer_id):
    about = ("--study", released.study.slug, "--answer", answer_id, "--reason", REASON)

    made = run_command("erratum", 1, *about)

    assert (made["release"], made["answer_id"], made["reason"]) == (1, answer_id, REASON)
    assert "no release 7" in command_error("erratum", 7, *about)


def test_html_in_an_erratum_is_text(released, answer_id, alice, plausibility, tmp_path):
    note_erratum(release=released, answer_id=answer_id, reason="<b>wrong</b>\n# no", by=alice)
    release(plausibility, tmp_path / "2")

    page = client_of(alice).get(reverse("release", args=[released.study.slug, 1])).text

    assert "<b>wrong</b>" not in page
    assert "\n# no" not in (tmp_path / "2" / "ERRATA.md").read_text("utf-8")
