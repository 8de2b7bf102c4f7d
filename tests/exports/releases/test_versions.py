"""A new version of a data set takes along the work on the turns that did not change."""

import csv
import json

import pytest

from annotation.actions import batches, rehearsals
from corpus.models import Dataset
from exports.releases import actions as release_actions
from exports.releases.queries import changes
from exports.writers.errors import ReleaseError
from tests.annotation.pools import launched
from tests.corpus.imports import save_dataset, turn
from tests.exports.judged_batches import (
    close_batch,
    find_evidence,
    judge_and_settle,
    judge_batch,
    release,
    settle_batch,
)
from tests.sampling.scored_dataset import PASSAGES, TURNS


def mended(number, **fields):
    """The turns of the data set with one of them changed."""
    return [each | fields if each["Turn_no"] == number else each for each in TURNS]


OF_FIRST_TURN = "".join(line for line in PASSAGES.splitlines(keepends=True) if "1_2" not in line)
MENDED_REFERENCE = mended(1, Truth_answer="A touchstone is a dark slab.")


@pytest.fixture
def faithful(plausibility, bob, dora):
    batch = launched(find_evidence(plausibility), scheme="faithfulness")
    return judge_and_settle(batch, bob, dora, label="faithful")


@pytest.fixture
def new_version(study, tmp_path):
    def make(turns, **settings) -> Dataset:
        settings = {"passages": PASSAGES} | settings
        save_dataset(study, tmp_path, turns, as_new_version=True, **settings)
        return study.datasets.by_name("touch")

    return make


def released(dataset, out, **options):
    return release_actions.release(
        study=dataset.study, dataset=dataset, out=out, by=dataset.created_by, **options
    )


def gold(folder):
    records = json.loads((folder / "gold.json").read_text(encoding="utf-8"))
    return {record["Turn_no"]: record["Truth_answers_alternative"] for record in records}


def rows(folder, name):
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_after_a_typo_in_a_reference_was_mended_only_that_turn_has_to_be_judged_again(
    faithful, new_version, tmp_path
):
    release(faithful, tmp_path / "before")
    after = new_version(MENDED_REFERENCE)

    made = released(after, tmp_path / "after")

    before, now = gold(tmp_path / "before"), gold(tmp_path / "after")
    assert before[1]
    assert before[2]
    assert now == {1: [], 2: before[2], 3: before[3]}
    assert made.report["versions"] == [
        {
            "version": "touch@2",
            "continues": "touch@1",
            "unchanged": 2,
            "changed": {"1_1": ["reference"]},
            "new": [],
            "gone": [],
        }
    ]


def test_the_tables_say_in_which_batch_it_was_judged_and_have_no_rows_of_the_changed_turn(
    faithful, new_version, tmp_path
):
    release(faithful, tmp_path / "before")
    released(new_version(MENDED_REFERENCE), tmp_path / "after")

    for name in ("items", "judgements"):
        expected = [row for row in rows(tmp_path / "before", name) if row["turn_id"] != "1_1"]
        assert rows(tmp_path / "after", name) == expected != []
    answers = rows(tmp_path / "after", "answers")
    assert {row["dataset"] for row in answers} == {"touch@2"}
    assert {row["sampled"] for row in answers if row["turn_id"] == "1_1"} == {"not_in_pool"}
    expected = [row for row in rows(tmp_path / "before", "answers") if row["turn_id"] != "1_1"]
    kept = [row for row in answers if row["turn_id"] != "1_1"]
    assert kept == [row | {"dataset": "touch@2"} for row in expected]


def test_the_release_of_the_version_before_stays_as_it_was(faithful, new_version, tmp_path):
    release(faithful, tmp_path / "before")
    new_version(MENDED_REFERENCE)

    release(faithful, tmp_path / "again")

    for path in (tmp_path / "before").iterdir():
        if path.is_file() and path.name != "manifest.json":
            assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


def test_before_the_release_the_page_can_say_which_answers_the_change_costs(
    faithful, new_version, tmp_path
):
    release(faithful, tmp_path / "before")
    after = new_version(MENDED_REFERENCE)

    found = changes(after, is_rehearsal=False)

    assert {each.turn for each in found.changes} == {"1_1"}
    assert {each.why for each in found.changes} == {"the turn has another reference in touch@2"}
    assert found.gained["gold"] == -len(gold(tmp_path / "before")[1])


@pytest.mark.parametrize(
    ("turns", "left"),
    [
        (mended(2, Truth_rewrite="Which colour is it?"), [1]),
        (TURNS[:1], [1]),
        ([*TURNS, turn(4, "In gold.", rewrite="Where is it used?")], [1, 2]),
    ],
    ids=["changed", "removed", "added"],
)
def test_accepted_answers_stay_where_question_and_earlier_questions_are_the_same(
    faithful, new_version, tmp_path, turns, left
):
    release(faithful, tmp_path / "before")
    after = new_version(turns, **({} if len(turns) > 1 else {"passages": OF_FIRST_TURN}))

    released(after, tmp_path / "after")
    before, now = gold(tmp_path / "before"), gold(tmp_path / "after")
    assert [number for number, answers in now.items() if answers] == left
    assert all(now[number] == before[number] for number in left)


def test_where_the_first_question_changed_nothing_of_its_conversation_counts(
    faithful, new_version, tmp_path
):
    after = new_version(mended(1, Truth_rewrite="What was a touchstone?"))

    assert after.comparison == {
        "unchanged": 0,
        "changed": {
            "1_1": ["question"],
            "1_2": ["earlier questions"],
            "1_3": ["earlier questions"],
        },
        "new": [],
        "gone": [],
    }
    with pytest.raises(ReleaseError, match="nothing to release"):
        released(after, tmp_path / "after")


def test_two_versions_in_a_row_keep_what_changed_in_neither(faithful, new_version, tmp_path):
    release(faithful, tmp_path / "before")
    new_version(MENDED_REFERENCE)
    third = new_version([*MENDED_REFERENCE, turn(4, "In gold.", rewrite="Where is it used?")])

    made = released(third, tmp_path / "after")

    before, now = gold(tmp_path / "before"), gold(tmp_path / "after")
    assert now == {1: [], 2: before[2], 3: [], 4: []}
    assert [each["version"] for each in made.report["versions"]] == ["touch@3", "touch@2"]


def test_a_version_that_takes_a_mistake_back_has_all_that_the_first_one_had(
    faithful, new_version, tmp_path
):
    release(faithful, tmp_path / "before")
    new_version([TURNS[0] | {"Truth_answer": "A slip."}], passages=OF_FIRST_TURN)
    third = new_version(TURNS)

    released(third, tmp_path / "after")

    assert gold(tmp_path / "after") == gold(tmp_path / "before")
    assert {run.name: run.n_answers for run in third.runs.filter(kind="system")}["alder"] == 3


def test_what_is_judged_after_the_new_version_counts_in_it_too(
    plausibility, new_version, bob, dora, tmp_path
):
    batch = launched(find_evidence(plausibility), scheme="faithfulness")
    after = new_version(MENDED_REFERENCE)
    settle_batch(close_batch(judge_batch(batch, bob, dora, label="faithful")))

    released(after, tmp_path / "after")

    assert [number for number, answers in gold(tmp_path / "after").items() if answers] == [2]


def test_rehearsed_batches_of_the_version_before_are_in_no_real_release_of_the_new_one(
    pool, new_version, tmp_path, alice
):
    batch = launched(pool)
    rehearsals.rehearse(batch=batch, n_annotators=2, accuracy=0.9, seed=1, by=alice)
    settle_batch(batches.close(batch=batch, by=alice) if batch.state != "closed" else batch)
    after = new_version(MENDED_REFERENCE)

    with pytest.raises(ReleaseError, match="no closed real batch"):
        released(after, tmp_path / "real")
    released(after, tmp_path / "rehearsed", is_rehearsal=True, set_aside_disputes=True)
    assert {row["turn_id"] for row in rows(tmp_path / "rehearsed", "items")} == {"1_2"}
