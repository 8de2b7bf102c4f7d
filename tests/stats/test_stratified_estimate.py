"""What a draw missed: by hand, in expectation over every sample, and where it is not known."""

import json
from collections import defaultdict
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.stratified_estimate import (
    NO_ANSWERS,
    NONE_PLAUSIBLE,
    POOL_UNSETTLED,
    TOO_SHORT,
    Judged,
    Stratum,
    as_json,
    estimate,
    from_json,
)


def stratum(name, *numbers, **by_run):
    return Stratum(name, Judged(*numbers), {run: Judged(*of) for run, of in by_run.items()})


# 20 drawn, all settled, 15 plausible. Of 100 below 10 are judged, 2 plausible; of 4 capped all, 1 plausible.
DRAWN = stratum("drawn", 20, 20, 20, 15, alder=(8, 8, 8, 6), birch=(12, 12, 12, 9))
BELOW = stratum("below", 100, 10, 10, 2, alder=(30, 4, 4, 1), birch=(70, 6, 6, 1))
CAPPED = stratum("capped", 4, 4, 4, 1, birch=(4, 4, 4, 1))


def of_run(found, name):
    return next(each for each in found.runs if each.run == name)


def test_each_settled_answer_stands_for_as_many_as_it_was_drawn_from():
    """100 · 2/10 + 4 · 1/4 = 21. Error: √(100² · .9 · s²/10), s² = 10/9 · .2 · .8 = .17778: 12.649."""
    found = estimate(DRAWN, [BELOW, CAPPED])

    assert found.missed.value == 21
    assert found.missed.error == pytest.approx(12.6491, abs=1e-4)
    assert found.plausible.value == 36
    assert [each.total.value for each in found.strata] == [20, 1]
    assert [each.rate for each in found.strata] == [0.2, 0.25]


def test_the_interval_of_a_sum_keeps_its_parts_distances():
    """Exact limits of 2 of 10 of 100 are 3 and 54, the capped ones are known: 21 - 17 and 21 + 34."""
    found = estimate(DRAWN, [BELOW, CAPPED])

    assert (found.strata[0].total.low, found.strata[0].total.high) == (3, 54)
    assert (found.missed.low, found.missed.high) == (4, 55)


def test_two_parts_do_not_both_go_to_their_ends():
    """Distances add as squares: 20 - √(17² + 17²) = … of 20 + 20, not 3 + 3."""
    found = estimate(DRAWN, [BELOW, BELOW])

    assert found.missed.value == 40
    assert found.missed.low == pytest.approx(40 - (2 * 17**2) ** 0.5)
    assert found.missed.high == pytest.approx(40 + (2 * 34**2) ** 0.5)


def test_the_share_that_was_drawn_falls_as_the_missed_grow():
    """15 / (15 + 21), from 15 / (15 + 55) to 15 / (15 + 4)."""
    found = estimate(DRAWN, [BELOW, CAPPED]).found

    assert found.value == pytest.approx(15 / 36)
    assert (found.low, found.high) == (pytest.approx(15 / 70), pytest.approx(15 / 19))


def test_a_run_s_rate_weighs_what_was_left_out():
    """alder: (6 + 10·1) / (8 + 10·4) = 1/3; by its own parts of the strata: (6 + 30·1/4) / 38."""
    alder = of_run(estimate(DRAWN, [BELOW, CAPPED]), "alder")

    assert (alder.n_units, alder.n_settled, alder.drawn_rate) == (38, 12, 0.75)
    assert alder.hajek.value == pytest.approx(1 / 3)
    assert alder.rate == alder.of_all
    assert alder.of_all.value == pytest.approx(13.5 / 38)
    # Exact limits of 1 of 4 of 30 are 1 and 23; what was drawn is known.
    assert (alder.total.low, alder.total.high) == (6 + 1, 6 + 23)


def test_a_run_s_error_is_that_of_its_linearised_residuals():
    """e = 2/3 once and -1/3 three times, 0 for six: Σ = -1/3, Σ² = 7/9, s² = (7/9 - 1/90) / 9 = .085185;
    √(100² · .9 · .085185 / 10) / 48 = .18242."""
    hajek = of_run(estimate(DRAWN, [BELOW, CAPPED]), "alder").hajek

    assert hajek.error == pytest.approx(0.18242, abs=1e-5)
    assert (hajek.low, hajek.high, hajek.no_interval) == (None, None, TOO_SHORT)


def test_where_all_is_known_there_is_no_width():
    all_of_it = stratum("below", 5, 5, 5, 2, alder=(5, 5, 5, 2))

    found = estimate(DRAWN, [all_of_it])

    assert (found.missed.value, found.missed.low, found.missed.high) == (2, 2, 2)
    alder = of_run(found, "alder")
    assert alder.rate.value == alder.rate.low == alder.rate.high == 8 / 13


def of_runs_on_average(estimates, run):
    """The run's total over the samples that took as many of its answers from each stratum; where defined."""
    alike = defaultdict(list)
    for each in estimates:
        total = of_run(each, run).total.value
        if total is not None:
            alike[of_run(each, run).n_settled].append(total)
    return {round(sum(totals) / len(totals), 9) for totals in alike.values()}


def test_it_is_right_on_average_over_every_sample():
    """Six left out in one stratum and three in another, samples of 2 and of 2: all 45, each as likely."""
    first = [(1, "a"), (0, "a"), (1, "b"), (0, "b"), (0, "ab"), (1, "ab")]
    second = [(1, "b"), (0, "a"), (1, "ab")]
    drawn = stratum("drawn", 2, 2, 2, 1, a=(1, 1, 1, 1), b=(1, 1, 1, 0))

    def sampled(name, units, places):
        def judged(those):
            chosen = [y for place, (y, runs) in those if place in places]
            return len(those), len(chosen), len(chosen), sum(chosen)

        whole = list(enumerate(units))
        by_run = {run: judged([each for each in whole if run in each[1][1]]) for run in "ab"}
        return stratum(name, *judged(whole), **by_run)

    estimates = [
        estimate(drawn, [sampled("one", first, one), sampled("other", second, other)])
        for one, other in product(combinations(range(6), 2), combinations(range(3), 2))
    ]

    def mean(of):
        return sum(Fraction(of(each)).limit_denominator(10**6) for each in estimates) / len(
            estimates
        )

    assert len(estimates) == 45
    assert mean(lambda each: each.missed.value) == 5
    assert mean(lambda each: each.plausible.value) == 6
    assert of_runs_on_average(estimates, "a") == {1 + 2 + 1}
    assert of_runs_on_average(estimates, "b") == {0 + 2 + 2}


def test_the_squared_error_is_right_on_average_too():
    """Cochran's variance over all samples of 3 of 6 is the estimate's own."""
    units = [1, 0, 1, 0, 0, 1]
    samples = [sum(units[i] for i in places) for places in combinations(range(6), 3)]
    found = [estimate(DRAWN, [stratum("one", 6, 3, 3, y)]).missed for y in samples]

    spread = sum((each.value - 3) ** 2 for each in found) / len(found)
    assert sum(each.error**2 for each in found) / len(found) == pytest.approx(spread)


def test_a_stratum_of_which_nothing_is_settled_leaves_the_sum_open():
    unjudged = stratum("capped", 4, 4, 0, 0, birch=(4, 4, 0, 0))

    found = estimate(DRAWN, [BELOW, unjudged])

    assert found.missed.value is None
    assert found.missed.reason == "no settled answer of: capped"
    assert found.found.reason == "no settled answer of: capped"
    assert found.strata[0].total.value == 20


def test_a_stratum_of_which_a_run_has_nothing_leaves_that_run_alone():
    unjudged = stratum("capped", 4, 0, 0, 0, birch=(4, 0, 0, 0))

    found = estimate(DRAWN, [BELOW, unjudged])

    assert of_run(found, "alder").hajek.value == pytest.approx(1 / 3)
    assert of_run(found, "birch").rate.reason == "no settled answer of: capped"


def test_an_empty_stratum_changes_nothing():
    empty = stratum("too few", 0, 0, 0, 0)

    assert estimate(DRAWN, [BELOW, empty]).missed == estimate(DRAWN, [BELOW]).missed


def test_of_one_settled_answer_the_error_is_not_known_but_the_limits_are():
    one = stratum("below", 100, 1, 1, 1, alder=(30, 1, 1, 1))

    found = estimate(DRAWN, [one])

    assert (found.missed.value, found.missed.error) == (100, None)
    assert (found.missed.low, found.missed.high) == (3, 100)
    alder = of_run(found, "alder")
    assert (alder.hajek.error, alder.hajek.no_interval) == (None, TOO_SHORT)
    assert (alder.rate.low, alder.rate.high) == (7 / 38, 36 / 38)


def test_where_none_is_plausible_the_interval_still_has_a_width():
    none = stratum("below", 1000, 50, 50, 0)

    missed = estimate(DRAWN, [none]).missed

    assert (missed.value, missed.error, missed.low) == (0, 0, 0)
    assert missed.high == pytest.approx(70, abs=3)


def test_a_run_whose_answers_all_ended_alike_has_exact_limits():
    drawn = stratum("drawn", 2, 2, 2, 2, alder=(2, 2, 2, 2))
    below = stratum("below", 100, 10, 10, 4, alder=(20, 3, 3, 3))

    rate = of_run(estimate(drawn, [below]), "alder").rate

    assert (rate.value, rate.high, rate.no_interval) == (1, 1, None)
    assert 0 < rate.low < 1


def test_a_run_without_a_settled_answer_has_no_rate():
    below = stratum("below", 100, 10, 10, 4, cedar=(20, 0, 0, 0))

    assert of_run(estimate(DRAWN, [below]), "cedar").rate.reason == NO_ANSWERS


def test_what_is_not_settled_widens_the_bounds_and_leaves_the_estimate():
    """10 asked, 8 settled, 2 plausible: 100 · 2/8, from 100 · 2/10 to 100 · 4/10."""
    found = estimate(DRAWN, [stratum("below", 100, 10, 8, 2)])

    assert found.missed.value == 25
    assert (found.missed_least, found.missed_most) == (20, 40)


def test_while_the_pool_is_not_settled_the_share_has_no_interval():
    drawn = stratum("drawn", 20, 20, 16, 12)

    found = estimate(drawn, [BELOW]).found

    assert found.value == pytest.approx(15 / 35)
    assert found.no_interval == POOL_UNSETTLED


def test_the_share_of_nothing_is_undefined():
    drawn, below = stratum("drawn", 5, 5, 5, 0), stratum("below", 9, 9, 9, 0)

    assert estimate(drawn, [below]).found.reason == NONE_PLAUSIBLE


@st.composite
def strata(draw, name):
    """A stratum with two runs, each of which gave some of its units, and what was settled of them."""
    n_units = draw(st.integers(0, 40))
    runs = [draw(st.sampled_from(["", "a", "b", "ab"])) for _ in range(n_units)]
    n_settled = draw(st.integers(0, n_units))
    n_plausible = draw(st.integers(0, n_settled))

    def judged(run):
        of = [place for place, each in enumerate(runs) if run in each]
        n = sum(place < n_settled for place in of)
        return Judged(len(of), n, n, sum(place < n_plausible for place in of))

    return Stratum(name, judged(""), {run: judged(run) for run in "ab"})


@given(drawn=strata("drawn"), below=strata("below"), capped=strata("capped"))
def test_every_estimate_lies_within_its_interval_and_within_what_is_possible(drawn, below, capped):
    found = estimate(drawn, [below, capped])

    for each in (*found.runs, None):
        total = found.plausible if each is None else each.total
        n_units = sum(
            of.judged.n_units if each is None else of.by_run[each.run].n_units
            for of in (drawn, below, capped)
        )
        if total.value is not None:
            assert 0 <= total.low <= total.value + 1e-9
            assert total.value <= total.high + 1e-9 <= n_units + 2e-9


def test_a_run_of_which_nothing_is_settled_in_a_stratum_has_no_total_but_hajek_s_rate():
    below = stratum("below", 100, 10, 10, 2, alder=(30, 4, 4, 1), cedar=(5, 0, 0, 0))
    drawn = stratum("drawn", 2, 2, 2, 1, cedar=(2, 2, 2, 1))

    cedar = of_run(estimate(drawn, [below]), "cedar")

    assert (cedar.rate.value, cedar.of_all.value) == (0.5, None)
    assert cedar.rate.no_interval == cedar.of_all.reason
    assert cedar.of_all.reason == "no settled answer of the run that is: below"
    assert (cedar.rate.low, cedar.rate.high) == (None, None)


def test_a_run_with_few_answers_of_which_all_were_asked_about_is_known():
    """Weighed by the stratum's 100 / 10 its 3 plausible answers would be 30 of 3."""
    below = stratum("below", 100, 10, 10, 4, alder=(3, 3, 3, 3))

    alder = of_run(estimate(stratum("drawn", 0, 0, 0, 0), [below]), "alder")

    assert (alder.total.value, alder.total.low, alder.total.high) == (3, 3, 3)
    assert alder.of_all.value == 1


def test_a_run_s_limits_hold_the_truth_in_19_of_20_samples_at_least():
    """Six of its eight answers are plausible, among twelve; samples of four of them, with one of its at least."""
    units = [(1, "a")] * 6 + [(0, "a")] * 2 + [(1, "")] * 4
    holds = []
    for places in combinations(range(12), 4):
        asked = [units[place] for place in places]
        own = [y for y, run in asked if run]
        below = stratum(
            "below", 12, 4, 4, sum(y for y, _ in asked), a=(8, len(own), len(own), sum(own))
        )
        total = of_run(estimate(stratum("drawn", 0, 0, 0, 0), [below]), "a").total
        if total.value is not None:
            holds.append(total.low <= 6 <= total.high)

    assert sum(holds) / len(holds) >= 0.95


def test_what_is_kept_as_json_is_read_back():
    found = estimate(DRAWN, [BELOW, stratum("capped", 4, 4, 0, 0, birch=(4, 4, 0, 0))])

    assert from_json(json.loads(json.dumps(as_json(found)))) == found
