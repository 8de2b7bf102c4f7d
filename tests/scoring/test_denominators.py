"""Over which turns a measure is averaged, and what stands where a run gave nothing."""

import pytest

from scoring.denominators import AveragedValues, Denominator, MeasuredTurn, averaged_values
from scoring.registry import Inputs
from tests.cases import all_cases

ALL, EVALUATOR = Denominator.ALL_TURNS, Denominator.AS_EVALUATOR
TURNS = (
    MeasuredTurn("1_1", 1, has_reference=True, has_rewrite=True, has_relevant=True),
    MeasuredTurn("1_2", 2, has_reference=True, has_rewrite=True, has_relevant=True),
    MeasuredTurn("1_3", 3),
)


def values(given, inputs, denominator=ALL, **options):
    return averaged_values(given, TURNS, inputs=inputs, denominator=denominator, **options).values


@pytest.mark.parametrize("denominator", Denominator)
def test_a_missing_answer_counts_as_an_empty_one(denominator):
    assert values({"1_1": 0.5}, Inputs.REFERENCES, denominator) == {"1_1": 0.5, "1_2": 0.0}


def test_an_empty_answer_is_worth_what_the_measure_says():
    found = values({"1_1": 0.5}, Inputs.REFERENCES, when_empty=lambda turn: float(turn == "1_2"))

    assert found == {"1_1": 0.5, "1_2": 1.0}


@all_cases("denominator", Denominator)
@all_cases("inputs", [Inputs.REFERENCES, Inputs.REWRITE, Inputs.RETRIEVAL])
def test_a_turn_without_truth_is_not_scored(inputs, denominator):
    assert "1_3" not in values({"1_3": 1.0, "1_2": 1.0}, inputs, denominator)


def test_all_turns_counts_a_turn_without_retrieval_as_0():
    assert values({"1_1": 1.0}, Inputs.RETRIEVAL) == {"1_1": 1.0, "1_2": 0.0}


def test_the_evaluator_skips_a_turn_without_retrieval():
    assert values({"1_1": 1.0}, Inputs.RETRIEVAL, EVALUATOR) == {"1_1": 1.0}


def test_all_turns_counts_rewrites_of_first_turns():
    assert values({"1_1": 1.0}, Inputs.REWRITE) == {"1_1": 1.0, "1_2": 0.0}


def test_the_evaluator_skips_rewrites_of_first_turns_and_counts_missing_ones():
    assert values({"1_1": 1.0}, Inputs.REWRITE, EVALUATOR) == {"1_2": 0.0}


@all_cases("denominator", Denominator)
@all_cases("inputs", Inputs)
def test_a_run_that_gave_nothing_of_the_kind_has_no_value_and_not_0(inputs, denominator):
    assert values({}, inputs, denominator) == {}


@pytest.mark.parametrize("denominator", Denominator)
def test_a_run_that_answers_only_where_there_is_no_truth_took_part(denominator):
    assert values({"1_3": 1.0}, Inputs.REFERENCES, denominator) == {"1_1": 0.0, "1_2": 0.0}


@pytest.mark.parametrize("denominator", Denominator)
@pytest.mark.parametrize("inputs", [Inputs.PASSAGES, Inputs.ALONE])
def test_what_is_measured_without_truth_is_over_what_was_given(inputs, denominator):
    assert values({"1_3": 12.0}, inputs, denominator) == {"1_3": 12.0}


def test_the_denominator_and_what_was_filled_are_printed():
    found = averaged_values({"1_1": 1.0}, TURNS, inputs=Inputs.RETRIEVAL)

    assert str(found) == "all turns: 2, 1 of them not given"
    assert found == AveragedValues(ALL, {"1_1": 1.0, "1_2": 0.0}, 1)


def test_a_partial_run_gains_by_the_evaluators_denominator():
    given = {"1_1": 1.0}

    means = [
        sum(found.values()) / len(found)
        for found in (values(given, Inputs.RETRIEVAL, each) for each in (ALL, EVALUATOR))
    ]

    assert means == [0.5, 1.0]
