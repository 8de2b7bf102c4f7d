"""What is said of each label of an item: exports/rows/soft_labels.py."""

import json

import pytest

from accounts.models import Role
from annotation.actions import claims, settlement
from exports.rows.soft_labels import soft_labels
from exports.verification import verdicts
from exports.verification.program import verify
from exports.verification.tables import read_table
from tests.annotation.desk import NOW, submit
from tests.annotation.pools import launched
from tests.cases import all_cases
from tests.conftest import member
from tests.exports.judged_batches import close_batch, release
from tests.exports.rows_for_tests import item, judged, judgement
from tests.exports.verification.test_recomputed_report import RELEASES, at_random, write_tables
from tests.parts import part
from tests.recomputed_tables import table
from tests.seeds import first_of

COLUMNS = ("batch", "item_id", "label", "n_votes", "vote_share", "posterior", "model", "reason")


def soft_label(rows, label):
    (found,) = [row for row in rows if row.label == label]
    return found


def soft_labels_of(each, *labels, **changes):
    """The soft labels of one item."""
    return soft_labels([*judged(each, *labels)], [each])


@all_cases("rows", RELEASES.values(), ids=RELEASES)
def test_soft_labels_are_what_the_tables_give(rows, tmp_path):
    assert_recomputed(write_tables(tmp_path, rows), rows)


@pytest.mark.parametrize("seed", first_of(5, *range(5)))
def test_soft_labels_are_the_same_whatever_was_judged(seed, tmp_path):
    rows = at_random(seed)

    assert_recomputed(write_tables(tmp_path, rows), rows)


def assert_recomputed(folder, rows):
    found = soft_labels(rows["judgements"], rows["items"])
    items, judgements = (read_table(folder, f"{name}.csv") for name in ("items", "judgements"))
    computed = verdicts.soft_labels(items, judgements, [])
    assert len(found) == len(computed)
    for row, anew in zip(found, computed, strict=True):
        for column in COLUMNS:
            expected = anew[column]
            if column == "posterior" and expected is not None:
                expected = pytest.approx(expected, abs=1e-6)
            assert getattr(row, column) == expected, (column, anew)


def test_every_label_of_the_scheme_has_a_row_also_one_that_nobody_said():
    rows = soft_labels_of(item(), "plausible", "plausible", "implausible")

    assert [row.label for row in rows] == ["implausible", "malformed", "plausible"]
    assert [row.n_votes for row in rows] == [1, 0, 2]
    assert soft_label(rows, "plausible").vote_share == pytest.approx(2 / 3)
    assert sum(row.posterior for row in rows) == pytest.approx(1, abs=2e-6)
    assert {row.model for row in rows} == {"confusions"}


def test_two_judgements_have_a_posterior_by_one_coin():
    rows = soft_labels_of(item(), "plausible", "malformed")

    assert {(row.model, row.reason) for row in rows} == {("one_coin", "")}
    assert soft_label(rows, "plausible").posterior == soft_label(rows, "malformed").posterior


@pytest.mark.parametrize(("said", "share"), [((), None), (("plausible",), 1.0)])
def test_too_few_judgements_are_a_reason_and_no_number(said, share):
    row = soft_label(soft_labels_of(item(), *said), "plausible")

    assert (row.vote_share, row.posterior, row.reason) == (share, None, "too few judgements")


def test_an_excluded_item_has_votes_and_no_posterior_and_tells_nothing_of_others():
    left_out, other = item("One", is_excluded=True), item("Two")
    said = [*judged(left_out, "malformed", "malformed"), *judged(other, "plausible", "plausible")]

    rows = soft_labels(said, [left_out, other])

    assert {row.reason for row in rows if row.item_id == left_out.item_id} == {"excluded"}
    of_other = [row for row in rows if row.item_id == other.item_id]
    assert [row.posterior for row in of_other] == [
        row.posterior for row in soft_labels_of(other, "plausible", "plausible")
    ]


def test_controls_and_what_is_not_counted_have_no_part():
    control, each = item("Known", is_control=True), item()
    said = [
        *judged(control, "malformed", "malformed"),
        *judged(each, "plausible", "plausible"),
        judgement(each, "w9", "malformed", counted=False),
    ]

    rows = soft_labels(said, [control, each])

    assert {row.item_id for row in rows} == {each.item_id}
    assert soft_label(rows, "malformed").n_votes == 0


def test_of_nothing_there_are_no_rows():
    assert soft_labels([], []) == []


# In a release

SAID = {"bob": "ppp", "dora": "ppm", "eve": "pmi"}
LABELS = {"p": "plausible", "m": "malformed", "i": "implausible"}


@part
def three_judged(pool, study, alice, bob, dora):
    """Closed: of one item all say the same, of one two of three, of one each something else."""
    eve = member(study, "eve", Role.ANNOTATOR, by=alice)
    batch = launched(pool, judgements_per_item=3)
    for person in (bob, dora, eve):
        for said in SAID[person.username]:
            for assignment in claims.claim(batch=batch, by=person, now=NOW):
                submit(assignment, LABELS[said])
    return close_batch(batch)


@pytest.mark.parametrize("rule", ["unanimous", "majority", "posterior"])
def test_a_release_ends_its_items_as_their_judgements_and_rule_say(three_judged, tmp_path, rule):
    settlement.settle(batch=three_judged, rule=rule, by=three_judged.created_by)
    folder = tmp_path / "release"
    release(three_judged, folder, set_aside_disputes=True)

    items = {row["item_id"]: row for row in table(folder, "items")}

    assert verify(folder).is_good
    assert any(row["state"] == "decided" for row in items.values())
    soft = {(row["item_id"], row["label"]): row for row in table(folder, "soft_labels")}
    for key, row in items.items():
        held = json.loads(row["posterior"])
        assert bool(held) == (rule == "posterior" and bool(soft[key, "plausible"]["posterior"]))
        for label, likely in held.items():
            assert likely == pytest.approx(float(soft[key, label]["posterior"]), abs=2e-6)
