"""Precision audits: the lots, when an answer holds, and the shares with their limits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.precision_audit.estimate import (
    NO_ACCEPTED,
    NOT_JUDGED,
    PrecisionError,
    audit_figures,
    draw,
    holds,
    next_scheme,
)
from tests.cases import all_cases
from tests.exports.rows_for_tests import precision as row

ACCEPTED = {f"{n}": "gold" if n % 3 else "silver" for n in range(30)}


def judged(n_hold, n_not, *, tier="gold", start=0, **sizes):
    """Rows of so many that hold and so many that do not."""
    return [
        row(
            f"{tier} {n}",
            tier=tier,
            tier_now=tier,
            plausibility="plausible" if n < n_hold else "malformed",
            faithfulness="faithful" if tier == "gold" and n < n_hold else "",
            **sizes,
        )
        for n in range(n_hold + n_not)
    ]


def test_each_tier_is_drawn_by_its_lots():
    drawn = draw(ACCEPTED, {"gold": 5, "silver": 20}, seed=1)

    assert {tier: len(names) for tier, names in drawn.items()} == {"gold": 5, "silver": 10}
    assert all(ACCEPTED[name] == tier for tier, names in drawn.items() for name in names)


@given(st.permutations(sorted(ACCEPTED)))
def test_the_order_of_the_answers_draws_no_other(names):
    shuffled = {name: ACCEPTED[name] for name in names}
    sizes = {"gold": 4, "silver": 4}

    assert draw(shuffled, sizes, seed=7) == draw(ACCEPTED, sizes, seed=7)


def test_a_larger_sample_with_the_same_seed_holds_the_smaller_one():
    few, many = (draw(ACCEPTED, {"gold": n}, seed=3)["gold"] for n in (4, 9))

    assert many[:4] == few
    assert draw(ACCEPTED, {"gold": 4}, seed=4)["gold"] != few


@all_cases(
    ("accepted", "sizes", "seed", "words"),
    [
        ({}, {"gold": 5}, 1, "no answer is accepted yet"),
        ({"a": "silver"}, {"gold": 5}, 1, "there are 0 gold, 1 silver"),
        (ACCEPTED, {"gold": 0, "silver": 0}, 1, "a sample of none"),
        (ACCEPTED, {"gold": -1}, 1, "has to be 0 to 10,000"),
        (ACCEPTED, {"silver": 10_001}, 1, "has to be 0 to 10,000"),
        (ACCEPTED, {"gold": 1}, 2**63, "too long a number"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(accepted, sizes, seed, words):
    with pytest.raises(PrecisionError, match=words):
        draw(accepted, sizes, seed)


@all_cases(
    ("tier", "plausibility", "faithfulness", "is_held", "asked"),
    [
        ("gold", "", "", None, "plausibility"),
        ("gold", "plausible", "", None, "faithfulness"),
        ("gold", "plausible", "faithful", True, ""),
        ("gold", "plausible", "irrelevant", False, ""),
        ("gold", "malformed", "", False, ""),
        ("gold", "implausible", "faithful", False, ""),  # corrected afterwards
        ("silver", "", "", None, "plausibility"),
        ("silver", "plausible", "", True, ""),
        ("silver", "implausible", "", False, ""),
    ],
)
def test_when_an_answer_holds_and_what_is_asked_next(
    tier, plausibility, faithfulness, is_held, asked
):
    assert holds(tier, plausibility, faithfulness) is is_held
    assert next_scheme(tier, plausibility, faithfulness) == asked


def test_the_tiers_are_weighed_by_what_there_is_of_each():
    """As in the docstring: all 5 of 90 gold, 3 of 5 of 10 silver, (90 + 6) / 100."""
    sizes = {"n_gold": 90, "n_silver": 10}
    rows = judged(5, 0, **sizes) + judged(3, 2, tier="silver", **sizes)

    (audit,) = audit_figures(rows)

    assert audit["share"]["value"] == pytest.approx(0.96)
    assert [tier["share"]["value"] for tier in audit["tiers"]] == [1, pytest.approx(0.6)]
    assert audit["share"]["low"] < 0.96 <= audit["share"]["high"] <= 1


def test_the_limits_are_those_of_a_finite_population():
    """0 of 5 of 10 is 0 to 3 (Buonaccorsi's method, stats.hypergeometric); all judged has no width."""
    (some,) = audit_figures(judged(0, 5, n_gold=10, n_silver=0))
    (every,) = audit_figures(judged(4, 1, n_gold=5, n_silver=0))

    assert (some["share"]["low"], some["share"]["high"]) == (0, pytest.approx(0.3))
    assert (every["share"]["low"], every["share"]["high"]) == (0.8, 0.8)


def test_while_a_tier_is_not_judged_all_together_is_not_known():
    sizes = {"n_gold": 9, "n_silver": 4}
    rows = [*judged(5, 1, **sizes), row("s", tier="silver", plausibility="", **sizes)]

    (audit,) = audit_figures(rows)
    gold, silver = audit["tiers"]

    assert gold["share"]["value"] == pytest.approx(5 / 6)
    assert silver["share"]["reason"] == audit["share"]["reason"] == f"{NOT_JUDGED}silver"


def test_a_tier_of_which_there_was_nothing_takes_no_part():
    (audit,) = audit_figures(judged(2, 0, n_gold=2, n_silver=0))

    assert audit["tiers"][1]["share"]["reason"] == NO_ACCEPTED
    assert audit["share"]["value"] == 1


def test_an_answer_that_is_accepted_otherwise_by_now_stays_and_is_listed():
    rows = [row("a"), row("b", tier_now=""), row("c", tier_now="silver")]

    (audit,) = audit_figures(rows)

    assert audit["n_judged"] == 3
    assert [(each["answer_id"], each["tier_now"]) for each in audit["changed"]] == [
        ("1_1:b", ""),
        ("1_1:c", "silver"),
    ]


def test_without_an_audit_there_is_nothing_to_say():
    assert audit_figures([]) == []
