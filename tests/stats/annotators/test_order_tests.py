"""Drift and sticking keys, by questions in shuffled order."""

import random

import pytest

from stats.annotators import order_tests
from stats.annotators.peers import Crowd
from stats.annotators.permutation import permutation_test
from tests.cases import all_cases
from tests.stats.annotators.simulated_people import LABELS, PREVALENCE, entry, work


def paired(labels, others, **of):
    own = work("p0001", labels, **of)
    return Crowd([*own, *work("p0002", others, **of)]).pairs(own)


def honest(seed: int, n: int = 100) -> list[str]:
    return random.Random(seed).choices(LABELS, PREVALENCE, k=n)


def test_who_agrees_in_the_first_half_only_drifts():
    others = honest(1, 80)
    labels = [*others[:40], *("malformed" for _ in range(40))]

    test = order_tests.within_session_test(paired(labels, others), seed=0)

    agreeing = sum(label == "malformed" for label in others[40:]) / 40
    assert test.seen == pytest.approx(1 - agreeing)
    assert test.p < 0.001


def test_a_rise_is_no_fall():
    others = honest(1, 80)
    labels = [*("malformed" for _ in range(40)), *others[40:]]

    assert order_tests.within_session_test(paired(labels, others), seed=0).p > 0.99


def test_halves_are_those_of_each_session():
    """Two sessions, each begun well and ended badly: as a whole nothing falls."""
    others = ["plausible"] * 80
    labels = (["plausible"] * 20 + ["malformed"] * 20) * 2
    own = [
        entry(worker="p0001", item=f"i{at}", label=label, submitted_at=at + 9000 * (at // 40))
        for at, label in enumerate(labels)
    ]
    pairs = Crowd([*own, *work("p0002", others)]).pairs(own)

    assert order_tests.within_session_test(pairs, seed=0).seen == pytest.approx(1)
    assert order_tests.between_session_test(pairs, seed=0).seen == pytest.approx(0)


def test_agreement_that_falls_from_session_to_session_is_seen():
    own = [
        entry(
            worker="p0001",
            item=f"i{at}",
            label="plausible" if at % 20 >= 3 * (at // 20) else "malformed",
            submitted_at=at + 9000 * (at // 20),
        )
        for at in range(80)
    ]
    pairs = Crowd([*own, *work("p0002", ["plausible"] * 80)]).pairs(own)

    test = order_tests.between_session_test(pairs, seed=0)

    assert test.seen == pytest.approx(3 / 20)
    assert test.p < 0.01


def test_a_key_that_sticks_is_seen_at_any_prevalence():
    labels = (["plausible"] * 9 + ["malformed"]) * 10
    stuck = sorted(labels)

    assert order_tests.repeat_test(work("p0001", stuck), seed=0).p < 0.001
    assert order_tests.repeat_test(work("p0001", labels), seed=0).p > 0.5


def test_labels_that_are_alike_within_a_question_do_not_stick():
    draw = random.Random(4)
    entries = []
    for question in range(30):
        label = draw.choice(["plausible", "malformed"])
        entries += [
            entry(
                item=f"i{question}-{at}",
                turn=f"q{question}",
                label=label,
                submitted_at=question * 3 + at,
            )
            for at in range(3)
        ]

    test = order_tests.repeat_test(entries, seed=0)

    assert test.seen > 0.75
    assert test.seen == pytest.approx(test.expected, abs=0.06)
    assert test.p > 0.05


def test_p_values_of_honest_work_are_spread_evenly():
    low = sum(
        order_tests.repeat_test(work("p0001", honest(seed)), seed=seed).p <= 0.1
        for seed in range(60)
    )

    assert low <= 13  # of 60 at .1: 6 are expected, and more than 13 in one test of 500


def screens(label_at, n=30):
    return [
        entry(
            item=f"i{at}",
            answer=f"a{answer}",
            submission=f"s{at}",
            position=position,
            label=label_at(position, answer),
            submitted_at=at,
        )
        for at in range(n)
        for position, answer in enumerate(random.Random(at).sample([1, 2, 3], 3), start=1)
    ]


def test_labels_by_place_are_seen_and_labels_by_answer_are_not():
    by_place = screens(lambda position, answer: "good" if position == 1 else "bad")
    by_answer = screens(lambda position, answer: "good" if answer == 1 else "bad")

    assert order_tests.position_test(by_place, seed=0).p < 0.001
    assert order_tests.position_test(by_answer, seed=0).p > 0.01


@all_cases(
    ("test", "reason"),
    [
        (order_tests.repeat_test([], seed=0), order_tests.TOO_FEW),
        (order_tests.repeat_test(work("p", ["a"] * 40), seed=0), order_tests.ONE_LABEL),
        (order_tests.repeat_test(work("p", ["a", "b"] * 9), seed=0), order_tests.TOO_FEW),
        (
            order_tests.repeat_test(
                [entry(item=f"i{n}", turn="q", label="ab"[n % 2]) for n in range(30)], seed=0
            ),
            order_tests.ONE_QUESTION,
        ),
        (
            order_tests.repeat_test(work("p", ["a", "b"] * 20, gap=7200), seed=0),
            order_tests.ONE_QUESTION,
        ),
        (order_tests.within_session_test([], seed=0), order_tests.TOO_FEW_PAIRED),
        (
            order_tests.between_session_test(paired(["a"] * 30, ["a", "b"] * 15), seed=0),
            order_tests.ONE_SESSION,
        ),
        (
            order_tests.within_session_test(paired(["a"] * 30, ["a"] * 30), seed=0),
            order_tests.ALL_THE_SAME,
        ),
        (order_tests.position_test(work("p", ["a"] * 40), seed=0), order_tests.ONE_ANSWER),
        (order_tests.position_test([], seed=0), order_tests.ONE_ANSWER),
        (order_tests.position_test(screens(lambda *_: "a"), seed=0), order_tests.ONE_LABEL),
        (order_tests.position_test(screens(lambda *_: "a", n=3), seed=0), order_tests.TOO_FEW),
    ],
)
def test_what_is_undefined_says_why(test, reason):
    assert (test.seen, test.expected, test.p, test.reason) == (None, None, None, reason)


def test_the_same_seed_gives_the_same_p_and_the_order_of_a_block_stays():
    seen = []

    def first(orders):
        seen.append(orders)
        return orders[:, 0].astype(float)

    blocks, sessions = [0, 0, 1, 2], [0, 0, 0, 1]
    assert permutation_test(first, blocks, sessions, seed=3) == permutation_test(
        first, blocks, sessions, seed=3
    )
    for orders in seen:
        assert (orders[:, 3] == 3).all()
        for row in orders[:50].tolist():
            assert row.index(1) == row.index(0) + 1
