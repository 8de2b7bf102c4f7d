"""Yield, disputes and the full batch, by hand."""

from decimal import Decimal

import pytest

from exports.after_pilot.figures import FullBatch, Settled, disputes_by_label, yield_of
from sampling.pay import Money
from stats.clustered_proportions import ClusterSums
from stats.proportion_intervals import wilson


def test_the_yield_of_single_questions_is_wilsons_share_by_judgements():
    found = yield_of([Settled(n, n < 3) for n in range(10)], 20)

    wilsons = wilson(3, 10)
    assert found.value == 3 / 20
    assert found.interval.low == pytest.approx(wilsons.low / 2)
    assert found.interval.high == pytest.approx(wilsons.high / 2)


def test_alike_items_of_a_conversation_make_the_interval_wider_as_everywhere():
    values = [(cluster, int(cluster < 3)) for cluster in range(8) for _ in range(5)]

    found = yield_of([Settled(cluster, bool(value)) for cluster, value in values], 80)

    expected = ClusterSums.of(values).interval_of_share()  # with scipy
    assert found.share.low == pytest.approx(expected.low)
    assert found.share.high == pytest.approx(expected.high)
    assert found.share.high - found.share.low > wilson(15, 40).high - wilson(15, 40).low


def test_without_judgements_or_with_one_conversation_it_is_undefined_and_says_why():
    assert yield_of([], 0).value is None
    assert yield_of([], 0).interval.reason == "no items"
    one = yield_of([Settled(1, True), Settled(1, False)], 4)
    assert (one.value, one.interval.low, one.interval.reason) == (
        0.25,
        None,
        "a single conversation",
    )


def test_an_item_in_dispute_stands_in_the_line_of_each_label_that_it_was_given():
    votes = {1: "pp", 2: "pm", 3: "pmi", 4: "mm", 5: ""}

    lines = disputes_by_label("pim", votes.items(), frozenset({3}), {2: "p", 4: "m"})

    found = {each.label: each for each in lines}
    assert (found["p"].n, found["p"].n_disputed, found["p"].n_waiting) == (3, 2, 1)
    assert (found["p"].n_upheld, found["p"].n_decided) == (1, 1)
    assert (found["m"].n, found["m"].n_disputed, found["m"].n_upheld) == (3, 2, 0)
    assert (found["i"].n, found["i"].n_decided) == (1, 0)


def test_the_full_batch_costs_by_judgement_and_takes_less_of_each_with_more_people():
    """The shared task: 2,754 items twice at $0.06 and 30 s are $330.48 and 45.9 hours."""
    pilot = yield_of([Settled(n, n < 25) for n in range(100)], 200)
    full = FullBatch(2754, 2, Money(Decimal("0.06"), "USD"), 30, pilot)

    assert (full.n_judgements, str(full.cost)) == (5508, "$330.48")
    assert full.hours == pytest.approx(45.9)
    assert full.hours_each(10) == pytest.approx(4.59)
    assert full.hours_each(1) is None
    assert full.expected[0] == pytest.approx(2754 / 4)
    assert full.expected[1] < full.expected[0] < full.expected[2]


@pytest.mark.parametrize(
    ("most", "n_people", "can"),
    [(25, 7, False), (25, 8, True), (100, 2, True), (100, 1, False), (None, 2, True)],
)
def test_with_a_maximum_for_each_person_more_people_are_needed(most, n_people, can):
    """100 items twice are 200 judgements: eight people with 25 each."""
    full = FullBatch(100, 2, None, 36, None, most_per_person=most)

    assert full.can_finish(n_people) is can
    assert (full.hours_each(n_people) is not None) is can
    assert full.n_people_needed == (8 if most == 25 else 2)


def test_an_unpaid_batch_has_no_cost_and_a_pilot_without_yield_expects_nothing():
    full = FullBatch(10, 2, None, 30, None)

    assert (full.cost, full.expected) == (None, None)
