"""The assumed spreads are those that their source gives, and items are counted as they are made."""

import pytest

from exports.planning.measures import MEASURES, Spread, first_of_scheme, items_per_question
from stats.precision_plan import Design, variance
from stats.variance_components import Components


@pytest.mark.parametrize("measure", MEASURES.values(), ids=list(MEASURES))
def test_three_people_and_a_hundred_questions_have_twice_the_error_as_in_summeval(measure):
    found = variance(measure.difference.components, Design(100, 3, 3))

    assert (found.total / found.of_questions) ** 0.5 == pytest.approx(2.0, abs=0.03)


@pytest.mark.parametrize(("measure", "n_items"), [("both", 1), ("preference", 6), ("plausible", 4)])
def test_four_runs_make_one_screen_of_ratings_six_pairs_or_four_answers(measure, n_items):
    assert items_per_question(MEASURES[measure], 4) == n_items


def test_a_spread_is_the_root_of_its_components():
    assert Spread.of(Components(4, 0, 9)) == Spread(2, 0, 3)
    assert Spread(2, 0, 3).components == Components(4, 0, 9)


def test_a_scheme_without_a_planned_figure_has_no_measure():
    assert first_of_scheme("rating") == MEASURES["both"]
    assert first_of_scheme("faithfulness") is None
