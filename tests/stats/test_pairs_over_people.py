"""Differences of rates for people like those who judged."""

import pytest

from stats.paired_proportions import pairs
from stats.pairs_over_people import over_people
from stats.people_of_rates import Votes
from stats.power import TOO_FEW
from stats.variance_components import FEW_PEOPLE
from tests.stats.test_people_of_rates import said

N = 60


def compared(settled, votes, open_variances=None):
    """The pairs of the runs, before and after people are a sample."""
    table = Votes.of(votes)
    everywhere = table.on({str(question) for question in range(N)})
    tested = pairs(
        {run: {str(i): end == "1" for i, end in enumerate(ends)} for run, ends in settled.items()}
    )
    runs = list(settled)
    weights = {run: {"plausible": 1.0} for run in runs}
    return tested, over_people(
        tested, table, weights, dict.fromkeys(runs, everywhere), open_variances
    )


# r is accepted on all, s on half of the questions.
SETTLED = {"r": "1" * N, "s": "10" * (N // 2)}


def test_leniency_that_is_common_to_both_runs_drops_out():
    lenient = {"a": "1" * N, "b": "0" * N, "c": "10" * (N // 2)}

    (before,), (after,) = compared(SETTLED, said("r", **lenient) + said("s", **lenient))

    assert after.share_of_people == 0
    assert after.p == pytest.approx(before.p, abs=1e-6)


def test_a_difference_that_some_people_see_is_not_significant_for_others():
    leaning = said("r", a="1" * N, b="0" * N, c="1" * N)
    against = said("s", a="0" * N, b="1" * N, c="0" * N)

    (before,), (after,) = compared(SETTLED, leaning + against)

    assert before.is_told_apart
    assert not after.is_told_apart
    assert after.p_of == "like them"
    assert after.p == after.p_people > after.p_these_people == before.p
    assert after.people_interval.low < 0 < after.interval.low
    assert after.share_of_people > 0.9
    assert (after.detectable, after.detectable_reason) == (None, TOO_FEW)


def test_p_is_never_less_than_for_these_people():
    alike = dict.fromkeys("abc", "1" * N)

    (before,), (after,) = compared(SETTLED, said("r", **alike) + said("s", **alike))

    assert after.p >= before.p
    assert after.detectable >= before.detectable


def test_of_two_people_p_stays_that_for_them():
    votes = said("r", a="1" * N, b="0" * N) + said("s", a="0" * N, b="1" * N)

    (before,), (after,) = compared(SETTLED, votes)

    assert (after.p, after.p_of, after.p_people) == (before.p, "these", None)
    assert after.people_interval.reason == FEW_PEOPLE


def test_a_pair_without_a_common_question_says_so():
    settled = {"r": "1", "s": ""}
    table = Votes.of(said("r", a="1"))
    tested = pairs({"r": {"0": True}, "s": {"1": True}})

    (after,) = over_people(tested, table, {run: {} for run in settled}, {})

    assert after.people_interval.reason == tested[0].reason
    assert after.p is None


def test_what_people_make_is_pooled_over_pairs():
    """s and t, of which three people happen to think alike, are not told apart by that."""
    unlike = said("r", a="1" * N, b="0" * N, c="10" * (N // 2))
    alike = [
        vote
        for run in "st"
        for vote in said(run, a="10" * (N // 2), b="10" * (N // 2), c="10" * (N // 2))
    ]
    settled = SETTLED | {"t": "1" * 8 + "0" * (N - 8)}

    _, after = compared(settled, unlike + alike)

    of_alike = next(pair for pair in after if (pair.one, pair.other) == ("s", "t"))
    assert of_alike.share_of_people > 0
