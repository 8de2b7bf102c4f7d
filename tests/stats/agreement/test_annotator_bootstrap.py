"""The two-level bootstrap, for a claim about other people too."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.agreement.annotator_bootstrap import _Replicate, annotator_intervals
from stats.agreement.krippendorff_alpha import krippendorff_alpha
from stats.agreement.nominal import gwet_ac1, raw_agreement
from tests.cases import all_cases
from tests.stats.agreement.codings import FLEISS_1971, krippendorff_example, table

NUMBERS = {str(n): float(n) for n in range(1, 6)}
items = st.lists(
    st.lists(st.sampled_from(["1", "2", "3", None]), min_size=5, max_size=5),
    min_size=2,
    max_size=12,
)


def once_each(judgements, level="nominal"):
    numbers = np.array([NUMBERS[label] for label in judgements.labels])
    people = np.ones(len(judgements.workers))
    questions = np.ones(judgements.question.max() + 1)
    return _Replicate(judgements, level, numbers).values(people, questions)


@given(items)
def test_everybody_and_every_question_drawn_once_gives_the_coefficients(judged):
    judgements = table(judged)
    alpha = krippendorff_alpha(judgements)
    if alpha.value is None:
        return

    raw, found, ac1 = once_each(judgements)

    assert raw == pytest.approx(raw_agreement(judgements).value)
    assert found == pytest.approx(alpha.value)
    assert ac1 == pytest.approx(gwet_ac1(judgements).value)


def test_on_a_scale_alpha_is_that_of_the_scale():
    _, alpha, _ = once_each(krippendorff_example(), "ordinal")

    assert alpha == pytest.approx(0.815, abs=0.0005)


def test_nobody_is_compared_with_their_own_copy():
    """One of two people drawn twice: there is nobody to agree with."""
    judgements = table(["12", "11", "22"])

    raw, alpha, ac1 = _Replicate(judgements, "nominal", np.arange(2.0)).values(
        np.array([2.0, 0.0]), np.ones(3)
    )

    assert np.isnan([raw, alpha, ac1]).all()


def test_a_person_drawn_twice_counts_twice_against_the_others():
    judgements = table(["112"])

    raw, _, _ = _Replicate(judgements, "nominal", np.arange(2.0)).values(
        np.array([2.0, 1.0, 1.0]), np.ones(1)
    )

    # pairs of two people: 1-1 twice, 1-2 twice and once
    assert raw == pytest.approx(2 / 5)


def test_people_make_the_interval_wider_where_they_differ():
    rng = np.random.default_rng(1)
    truth = rng.integers(1, 3, size=200)
    accuracy = [0.99, 0.95, 0.9, 0.75, 0.55, 0.99]
    right = np.array([rng.random(200) < each for each in accuracy])
    judgements = table(np.where(right, truth, 3 - truth).T.tolist())

    found = annotator_intervals(judgements)

    for wide, narrow in [
        (found.raw, raw_agreement(judgements).interval),
        (found.alpha, krippendorff_alpha(judgements).interval),
        (found.ac1, gwet_ac1(judgements).interval),
    ]:
        assert wide.high - wide.low > 2 * (narrow.high - narrow.low)


def test_the_same_seed_draws_the_same():
    judgements = table([list(item)[:5] for item in FLEISS_1971])

    assert annotator_intervals(judgements, seed=3) == annotator_intervals(judgements, seed=3)
    assert annotator_intervals(judgements, seed=3) != annotator_intervals(judgements, seed=4)


@all_cases(
    ("judged", "reason"),
    [
        (["11112", "12222"], None),
        (["1112", "1222"], "fewer than 5 annotators: so few say little about other people"),
        (["11111", "11111"], "one category only"),
        (["1", "2"], "a single annotator"),
        ([], "no judgements"),
        (["11112"], "a single question"),
        ([[None] * n + ["1"] + [None] * (5 - n) for n in range(6)], "no item has two judgements"),
    ],
)
def test_the_interval_over_people_is_there_or_says_why_not(judged, reason):
    found = annotator_intervals(table(judged))

    assert found.alpha.reason == reason
    assert (found.alpha.low is None) == (reason is not None)
    assert found.alpha.n_replicates == (0 if reason else 1000)
