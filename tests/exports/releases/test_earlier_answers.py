"""Accepted answers that stand only by a release that the data set has read: everywhere the same ones, and as many."""

import json
from pathlib import Path

import pytest
from django.test import override_settings
from django.urls import reverse

from annotation.actions import reviews
from corpus.models import Dataset
from exports.errata.actions import ErratumError, note_erratum
from exports.models import Release
from exports.releases import actions as release_actions
from exports.releases import difference_queries
from exports.releases.changes import gained_sentence
from exports.releases.choice import Choice
from exports.releases.queries import accepted_counts, changes
from exports.rows.earlier_answers import by_id
from exports.verification.program import verify
from exports.writers import csv_table
from tests.annotation.pools import launched
from tests.commands.command_calls import run_command
from tests.corpus.release_folders import accepted, write_release
from tests.exports.judged_batches import close_batch, manifest_of, release, settle_batch
from tests.exports.releases.stored_release import folder_of
from tests.exports.releases.test_read_back import read_back
from tests.jobs.clients import client_of
from tests.parts import part

pytestmark = pytest.mark.usefixtures("releases_of_parts")

ELSEWHERE = "A stone of judgement."


@part
def released(plausibility, folder, releases_folder) -> Path:
    """The folder of a release of three silver answers."""
    with override_settings(RELEASES=releases_folder):
        release(plausibility, folder / "released")
    return folder / "released"


@part
def dataset(study, released, folder) -> Dataset:
    """The version that has read a release with a gold answer more, and one of the three in gold."""
    records = json.loads((released / "silver.json").read_text(encoding="utf-8"))
    first = records[0]["Truth_answers_alternative"]
    one = first.pop(0)
    first[:0] = sorted((accepted(one["answer"]), accepted(ELSEWHERE)), key=lambda a: a["answer"])
    of = manifest_of(released)["dataset"]
    return read_back(study, "touch", write_release(folder / "other", records, dataset=of))


def made(dataset: Dataset, out: Path, **options) -> Release:
    release_actions.release(
        study=dataset.study, dataset=dataset, out=out, by=dataset.created_by, **options
    )
    return Release.objects.order_by("pk").last()


def in_file(folder: Path) -> dict[str, int]:
    """The numbers of accepted answers in silver.json."""
    found = json.loads((folder / "silver.json").read_text(encoding="utf-8"))
    tiers = [each["tier"] for record in found for each in record["Truth_answers_alternative"]]
    return {tier: tiers.count(tier) for tier in ("gold", "silver")}


@part
def second(dataset, folder, releases_folder) -> Release:
    with override_settings(RELEASES=releases_folder):
        return made(dataset, folder / "second")


@pytest.fixture
def second_folder(second, releases_folder) -> Path:
    """Where a copy of the second release lies."""
    return releases_folder.parent / "second"


@pytest.fixture
def answer_id(second_folder) -> str:
    """The id of the answer that no table has."""
    earlier = json.loads((second_folder / "earlier.json").read_text(encoding="utf-8"))
    return next(key for key, each in by_id(earlier).items() if each["answer"] == ELSEWHERE)


# Numbers


def test_every_place_counts_the_answers_that_the_files_have(
    second, dataset, study, alice, second_folder
):
    there = in_file(second_folder)
    page = client_of(alice).get(reverse("release", args=[study.slug, 2])).text
    first = Release.objects.get(number=1)
    difference = difference_queries.compared(first, second)
    later = changes(Choice(dataset))

    assert there == {"gold": 2, "silver": 2}
    assert accepted_counts(second) == there
    assert ELSEWHERE in page
    assert difference.accepted == {"gold": (0, 2), "silver": (3, 2)}
    assert later.accepted == there
    assert later.changes == []


def test_what_a_release_would_change_is_what_it_changes(dataset, tmp_path):
    found = changes(Choice(dataset))
    made(dataset, tmp_path / "second")

    assert found.accepted == in_file(tmp_path / "second")
    assert {(each.before, each.after) for each in found.changes} == {
        ("", "gold"),
        ("silver", "gold"),
    }
    assert all("the release that the data set has read" in each.why for each in found.changes)
    assert gained_sentence(found).startswith("2 gold answers more and 1 silver answer fewer")


def test_the_report_says_how_many_gold_ones_it_counts_as_silver_too(second, second_folder):
    report = json.loads((second_folder / "report.json").read_text(encoding="utf-8"))
    readme = (second_folder / "README.md").read_text(encoding="utf-8")

    assert report["accepted"] == {"gold": 0, "silver": 3}
    assert report["accepted_earlier"] == {"gold": 2, "silver": 0, "gold_also_silver": 1}
    assert "Of the gold ones 1 are silver by the verdicts here" in " ".join(readme.split())


def test_an_answer_that_is_decided_against_here_is_gone_from_all_of_them(
    second, dataset, plausibility, carol, second_folder, tmp_path
):
    text = _text_that_is_gold_there(second_folder, plausibility)
    item = plausibility.items.get(answers__candidate__text=text)
    reviews.adjudicate(item=item, label="implausible", reason="No.", by=carol)

    found = changes(Choice(dataset))
    third = made(dataset, tmp_path / "third")

    assert [(each.answer, each.before, each.after) for each in found.changes] == [
        (text, "gold", "")
    ]
    assert in_file(tmp_path / "third") == accepted_counts(third) == found.accepted


def _text_that_is_gold_there(folder, batch):
    earlier = json.loads((folder / "earlier.json").read_text(encoding="utf-8"))
    judged = set(batch.items.values_list("answers__candidate__text", flat=True))
    (text,) = {each["answer"] for of in earlier.values() for each in of} & judged
    return text


def test_what_stands_only_by_the_earlier_release_stays_where_its_batch_is_left_out(
    second, dataset, plausibility, tmp_path
):
    settle_batch(close_batch(launched(plausibility.pool, name="nobody judged")))
    left_out = (plausibility.name,)

    found = changes(Choice(dataset, left_out=left_out))
    made(dataset, tmp_path / "third", left_out=left_out)

    assert found.accepted == in_file(tmp_path / "third") == {"gold": 2, "silver": 2}
    assert found.changes == []


def test_the_verifier_agrees_and_finds_an_earlier_answer_about_which_people_decided(
    second, plausibility, second_folder
):
    assert _complaints(second_folder) == []

    earlier = json.loads((second_folder / "earlier.json").read_text(encoding="utf-8"))
    text = _text_that_is_gold_there(second_folder, plausibility)
    for records in earlier.values():
        for each in records:
            each["tier"] = "silver" if each["answer"] == text else each["tier"]
    (second_folder / "earlier.json").write_text(json.dumps(earlier), encoding="utf-8")

    assert any("people decided about it" in each for each in _complaints(second_folder))


def _complaints(folder):
    found = [str(each) for of in verify(folder).found.values() for each in of.problems]
    return [each for each in found if "earlier" in each or "accepted" in each]


# Errata


def test_an_erratum_of_an_answer_that_stands_only_by_it_can_be_noted(
    second, answer_id, alice, study
):
    row = note_erratum(release=second, answer_id=answer_id, reason="Wrong year.", by=alice)
    command = run_command(
        *("erratum", 2, "--study", study.slug, "--answer", answer_id, "--reason", "Wrong place.")
    )
    where = reverse("release_erratum", args=[study.slug, 2])
    reply = client_of(alice).post(where, {"answer": answer_id, "reason": "Wrong name."})

    assert row.answer == command["answer"] == ELSEWHERE
    assert reply.status_code == 302
    assert second.errata.count() == 3


def test_the_next_release_says_that_it_still_accepts_it(
    second, answer_id, dataset, alice, tmp_path
):
    note_erratum(release=second, answer_id=answer_id, reason="Wrong year.", by=alice)
    made(dataset, tmp_path / "third")

    (row,) = json.loads((tmp_path / "third" / "errata.json").read_text(encoding="utf-8"))
    page = (tmp_path / "third" / "ERRATA.md").read_text(encoding="utf-8")

    assert (row["tier"], row["by_earlier"]) == ("gold", True)
    assert "in this release: accepted (gold), as in the release that the data set has read" in page


def test_one_whose_batch_is_left_out_is_still_accepted_by_it(
    second, dataset, plausibility, alice, second_folder, tmp_path
):
    text = _text_that_is_gold_there(second_folder, plausibility)
    rows = csv_table.rows((second_folder / "items.csv").read_bytes())
    judged = next(row["answer_id"] for row in rows if row["answer"] == text)
    note_erratum(release=second, answer_id=judged, reason="Wrong year.", by=alice)

    settle_batch(close_batch(launched(plausibility.pool, name="nobody judged")))
    made(dataset, tmp_path / "third", left_out=(plausibility.name,))

    (row,) = json.loads((tmp_path / "third" / "errata.json").read_text(encoding="utf-8"))
    assert (row["tier"], row["by_earlier"]) == ("gold", True)


def test_an_erratum_of_a_changed_file_of_earlier_answers_is_refused(second, answer_id, alice):
    (folder_of(second) / "earlier.json").write_text("{}")

    with pytest.raises(ErratumError, match=r"earlier\.json is not what was released"):
        note_erratum(release=second, answer_id=answer_id, reason="Wrong year.", by=alice)
