"""The tables of a plan: what may be added, its cost, and differences that cannot be."""

from dataclasses import replace
from decimal import Decimal

import pytest

from exports.planning.figures import Plan, grid, options
from exports.planning.measures import MEASURES
from sampling.pay import Money
from stats.power import TOO_LARGE
from stats.precision_plan import FEW_PEOPLE, NO_VARIANCE, Design
from stats.variance_components import Components


def plan(design=None, *, measure="both", price=None, **components) -> Plan:
    of = MEASURES[measure]
    return Plan(
        measure=of,
        design=design or Design(100, 6, 3),
        n_runs=4,
        items_per_question=2,
        difference=components.get("difference", of.difference.components),
        one_run=components.get("one_run", of.one_run.components),
        price=price,
    )


def test_the_options_have_their_judgements_and_cost():
    rows = options(plan(price=Money(Decimal("0.5"), "EUR")))

    assert [(row.n_judgements, row.cost, row.currency) for row in rows] == [
        (600, Decimal("300.0"), "EUR"),
        (600, Decimal("300.0"), "EUR"),
        (800, Decimal("400.0"), "EUR"),
        (720, Decimal("360.0"), "EUR"),
    ]


def test_where_people_differ_much_one_more_of_them_beats_twenty_questions():
    """With .27² / 6 of .0205 from people, and .0082 from questions and the rest."""
    now, annotator, both, questions = (row.half_width for row in options(plan()))

    assert both < annotator < questions < now


def test_where_people_do_not_differ_twenty_questions_beat_one_more_of_them():
    alike = plan(difference=Components(0.49, 0, 1))
    now, annotator, _, questions = (row.half_width for row in options(alike))

    assert questions < annotator <= now


def test_an_unpaid_plan_has_no_cost():
    assert {(row.cost, row.currency) for row in options(plan())} == {(None, "")}


def test_the_grid_has_the_planned_numbers_and_no_fewer_people_than_judge_a_question():
    rows = grid(plan(Design(70, 5, 4)))

    assert [each[0].n_questions for each in rows] == [50, 70, 100, 200, 400]
    assert [row.n_people for row in rows[0]] == [4, 5, 6, 8, 12]
    assert {row.per_question for each in rows for row in each} == {4}


def test_a_difference_larger_than_any_is_none_with_the_reason():
    found = options(plan(Design(4, 3, 3), measure="preference"))[0]

    assert (found.detectable, found.reason) == (None, TOO_LARGE)
    assert found.half_width is not None


def test_with_fewer_comparisons_than_pairs_of_runs_a_pair_has_as_large_a_part_of_the_questions():
    """Four runs have six pairs: with two comparisons a question each pair has a third of 150 questions."""
    few = options(plan(Design(150, 6, 3), measure="preference"))[0]
    all_of_them = replace(plan(Design(50, 6, 3), measure="preference"), items_per_question=6)

    assert few.half_width == pytest.approx(options(all_of_them)[0].half_width)
    assert few.n_judgements == 150 * 3 * 2


def test_two_people_say_nothing_of_others():
    found = options(plan(Design(100, 2, 2)))[0]

    assert (found.half_width, found.reason, found.run_reason) == (None, FEW_PEOPLE, FEW_PEOPLE)
    assert found.these_people == pytest.approx(1.984 * 0.0099**0.5 * 1.0, rel=1e-3)


def test_no_variance_shows_nothing():
    none = Components(0, 0, 0)
    found = options(plan(difference=none, one_run=none))[0]

    assert (found.half_width, found.reason, found.run_reason) == (None, NO_VARIANCE, NO_VARIANCE)
