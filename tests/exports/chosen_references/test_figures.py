"""Rankings of runs by truth, gold and silver references, and how alike they are."""

from math import nan

import pytest

from exports.chosen_references.figures import ranking_figures

RUNS = ["a", "b", "c", "d", "e"]
TRUTH = [0.5, 0.4, 0.3, 0.2, 0.1]
# b above a: the example of stats.rank_changes, whose τ_AP is .5 and τ .8.
GOLD = [0.6, 0.7, 0.3, 0.2, 0.1]


def pair(found, one, other):
    return next(each for each in found["pairs"] if (each["one"], each["other"]) == (one, other))


def test_each_run_has_its_means_places_and_how_far_it_rises():
    found = ranking_figures(RUNS, {"truth": TRUTH, "gold": GOLD}, [nan] * 5)

    first, second = found["runs"][:2]
    assert first["means"] == {"truth": 0.5, "gold": 0.6}
    assert (first["places"], first["changes"]) == ({"truth": 1, "gold": 2}, {"gold": -1})
    assert (second["places"], second["changes"]) == ({"truth": 2, "gold": 1}, {"gold": 1})


def test_a_swap_at_the_top_counts_more_by_tau_ap_than_by_tau_b():
    found = ranking_figures(RUNS, {"truth": TRUTH, "gold": GOLD}, [nan] * 5)

    found = pair(found, "truth", "gold")
    assert (found["tau_b"], found["tau_ap"]) == (pytest.approx(0.8), pytest.approx(0.5))


def test_a_measure_is_held_against_people_over_the_runs_that_they_judged():
    rates = [0.4, 0.9, 0.3, nan, nan]

    found = ranking_figures(RUNS, {"truth": TRUTH, "gold": GOLD}, rates)

    assert pair(found, "gold", "people")["n_runs"] == 3
    assert pair(found, "gold", "people")["tau_b"] == 1
    assert pair(found, "truth", "people")["tau_ap"] == 0
    assert found["runs"][3]["people"] is None


def test_tau_ap_of_people_takes_the_measures_ranking_from_the_top():
    """Not symmetric: by the measure a, b, c; by people b, c, a."""
    found = ranking_figures(["a", "b", "c"], {"truth": [3, 2, 1], "gold": [3, 2, 1]}, [1, 3, 2])

    # At b none of the one above it is above it for people; at c one of two is.
    assert pair(found, "truth", "people")["tau_ap"] == 2 / 2 * (0 / 1 + 1 / 2) - 1


def test_what_nobody_judged_and_equal_means_are_undefined_and_not_0():
    found = ranking_figures(["a", "b"], {"truth": [0.5, 0.5], "gold": [0.5, nan]}, [nan, nan])

    for one, other in (("truth", "gold"), ("truth", "people")):
        assert pair(found, one, other)["tau_b"] is None
        assert pair(found, one, other)["tau_ap"] is None
        assert pair(found, one, other)["reason"]
    assert found["runs"][1]["places"] == {"truth": 1.5, "gold": None}
    assert found["runs"][1]["changes"] == {"gold": None}
