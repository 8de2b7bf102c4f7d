"""Honest people have no reason for a look because of what they were asked, or how lenient they are."""

from dataclasses import replace

import numpy as np
import pytest

from bench.coverage.annotators import TABLES, has_reason, newcomers, own_people
from stats.annotators.agreement_with_others import ONLY_EXTRA
from stats.annotators.label_runs import run_probability, with_own_share
from stats.annotators.order_tests import position_test, repeat_test
from stats.annotators.report import examine
from tests.seeds import first_of
from tests.stats.annotators.simulated_people import entry, work

DRAWN = {"replicates": 1_000, "seed": 0}


def person(entries, name):
    return next(each for each in examine(entries, **DRAWN).people if each.annotator == name)


def signal(entries, name, kind):
    (found,) = [each for each in person(entries, name).signals if each.kind == kind]
    return found


@pytest.mark.parametrize("name", TABLES)
def test_of_tables_of_honest_people_none_of_three_has_a_reason(name):
    tables = [TABLES[name](np.random.default_rng(seed)) for seed in range(3)]

    assert not any(has_reason(entries, seed) for seed, entries in enumerate(tables))


@pytest.mark.parametrize("table", [newcomers, own_people])
def test_extra_judgements_taken_for_first_ones_would_be_reasons(table):
    tables = [table(np.random.default_rng(seed)) for seed in range(3)]
    as_first = [[replace(each, is_extra=False) for each in entries] for entries in tables]

    assert any(has_reason(entries, seed) for seed, entries in enumerate(as_first))


def test_who_was_asked_about_disputed_items_only_has_no_agreement():
    first = work("p0001", ["a"] * 30) + work("p0002", ["b"] * 30)
    extra = work("p0003", ["a"] * 30, is_extra=True)

    newcomer = person(first + extra, "p0003")

    assert newcomer.agreement.reason == ONLY_EXTRA
    assert newcomer.n_extra == 30
    assert signal(first + extra, "p0003", "agreement").reason == ONLY_EXTRA
    assert person(first + extra, "p0001").agreement.n == 30  # with one other, not two
    assert {newcomer.fall_within.p, newcomer.fall_between.p} == {None}
    assert newcomer.asked[0].confusion.counts == [[0, 0], [0, 0]]


def test_the_estimated_confusion_rests_on_all_judgements():
    """A likelihood ignores why a judgement was asked for."""
    first = work("p0001", ["a", "b"] * 10) + work("p0002", ["a", "a"] * 10)
    extra = work("p0003", ["a", "b"] * 10, is_extra=True)

    assert person(first + extra, "p0003").asked[0].confusion.estimated is not None


def test_a_run_is_compared_with_the_persons_own_share():
    """A run of 12 in 100 labels at a share of .6 is to be expected of one of so many people; others give it in .2."""
    own = (["4"] * 12 + ["1"] * 8) * 5
    others = (["4"] * 4 + ["1"] * 16) * 5
    entries = [
        each
        for who, labels in [("p0001", own), ("p0002", others), ("p0003", others)]
        for each in work(who, labels)
    ]

    run = signal(entries, "p0001", "run of one label")

    assert run.words.endswith("(given their own share of it, 60 %)")
    assert run.p > 1e-3


def test_who_gives_one_label_only_is_compared_with_others():
    others = (["a"] * 9 + ["b"]) * 10
    entries = work("p0001", ["a"] * 100) + work("p0002", others) + work("p0003", others)

    run = signal(entries, "p0001", "run of one label")

    assert run.words.endswith("(given others' labels)")
    assert run.p < 1e-6


def test_chances_with_a_share_of_ones_own_add_up_and_keep_their_order():
    chances = [0.05, 0.3, 0.3, 0.9]

    shifted = with_own_share(chances, 3)

    assert shifted.sum() == pytest.approx(3)
    assert np.argsort(shifted, kind="stable").tolist() == [0, 1, 2, 3]
    odds = np.log(shifted / (1 - shifted)) - np.log(np.array(chances) / (1 - np.array(chances)))
    assert np.ptp(odds) == pytest.approx(0, abs=1e-9)
    assert with_own_share(chances, 1.55).tolist() == pytest.approx(chances)
    assert 0 < run_probability(2, with_own_share([1.0, 1.0, 0.5], 2)) < 1


def pairs(sides, worker="p0001"):
    """What was chosen on screen after screen; the first answer stands on the left and on the right in turn."""
    labels = {("left", 1): "preferred", ("left", 2): "other"}
    labels |= {("right", 1): "other", ("right", 2): "preferred"}
    return [
        entry(
            worker=worker,
            item=f"i{at}",
            label=labels.get((side, 1 + at % 2), side),
            position=1 + at % 2,
            submitted_at=20.0 * at,
            asked="preference",
            is_pair=True,
        )
        for at, side in enumerate(sides)
    ]


def test_of_a_pair_runs_and_repeats_are_of_sides_and_agreement_is_of_answers():
    sides = ["left"] * 12 + ["right", "tie"] * 9
    one, other = pairs(sides), pairs([{"left": "right"}.get(side, side) for side in sides], "p0002")

    found = person(one + other, "p0001")

    assert [each.screen_label for each in one] == sides
    assert (found.asked[0].run_label, found.asked[0].run_length, found.asked[0].n) == (
        "left",
        12,
        30,
    )
    assert found.agreement.value == pytest.approx(18 / 30)
    assert repeat_test(one, seed=0).seen == pytest.approx(11 / 29)


def test_the_chances_of_a_side_are_those_of_the_answer_that_stands_there():
    own = entry(label="preferred", position=2, is_pair=True)

    assert (own.screen_label, own.label_of("left"), own.label_of("right")) == (
        "right",
        "other",
        "preferred",
    )
    assert own.label_of("tie") == "tie"
    assert (own.mirrored.label, own.mirrored.position, own.mirrored.screen_label) == (
        "other",
        1,
        "right",
    )


@pytest.mark.parametrize("seed", first_of(0, 1))
def test_who_always_takes_the_left_answer_sticks_to_a_place(seed):
    assert position_test(pairs(["left"] * 30), seed=seed).p < 0.001
    assert position_test(pairs(["left", "right"] * 15), seed=seed).p > 0.05


def test_of_a_pair_both_entries_would_say_the_same_twice():
    """Four ties in a row are eight where both rows of a judgement are entries."""
    ties = pairs(["left", "right", *["tie"] * 4, "left", "right"])
    both = [replace(row, is_pair=False) for each in ties for row in (each, each.mirrored)]

    assert examine(ties, **DRAWN).people[0].asked[0].run_length == 4
    assert examine(both, **DRAWN).people[0].asked[0].run_length == 8
