"""Every coefficient of the registry keeps what its line says."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.agreement.cohen_kappa import cohen_kappa
from stats.agreement.gwet_ac2 import gwet_ac2
from stats.agreement.krippendorff_alpha import krippendorff_alpha
from stats.agreement.registry import COEFFICIENTS, IN_COLUMNS, OF_EVERY_QUESTION, Inputs
from tests.cases import all_cases
from tests.stats.agreement.codings import cohen_example, krippendorff_example, table

ROOT = Path(__file__).resolve().parents[3]
NUMBERS = {str(n): float(n) for n in range(6)}
BOOTSTRAP = {"replicates": 1_000, "seed": 3}

coefficients = pytest.mark.parametrize("coefficient", COEFFICIENTS.values(), ids=COEFFICIENTS)
judgements = st.lists(
    st.lists(st.sampled_from(["1", "2", "3", None]), min_size=2, max_size=4), min_size=1, max_size=8
).map(table)


def nominal(coefficient, judged):
    return coefficient.figure(judged, level="nominal", values={}, **BOOTSTRAP)


def ordinal(coefficient, judged):
    return coefficient.figure(judged, level="ordinal", values=NUMBERS, **BOOTSTRAP)


@coefficients
@pytest.mark.parametrize("measured", [nominal, ordinal])
@given(judged=judgements)
def test_there_is_a_value_of_at_most_1_or_a_reason(coefficient, measured, judged):
    figure = measured(coefficient, judged)

    assert figure is None or (figure.value is None) == (figure.reason is not None)
    assert figure is None or figure.value is None or figure.value <= 1 + 1e-12


@coefficients
def test_without_judgements_there_is_no_value(coefficient):
    figure = nominal(coefficient, table([]))

    assert (figure is None) != coefficient.is_of_every_question
    assert figure is None or (figure.value, figure.reason) == (None, "no judgements")


@coefficients
def test_a_figure_says_what_it_is_and_estimates(coefficient):
    figure = ordinal(coefficient, cohen_example())

    assert figure.measure.name
    assert figure.measure.estimand


@coefficients
def test_questions_without_its_inputs_have_no_figure(coefficient):
    by_two, by_four = cohen_example(), krippendorff_example()
    found = [nominal(coefficient, by_two), nominal(coefficient, by_four)]
    on_a_scale = [ordinal(coefficient, by_two), ordinal(coefficient, by_four)]

    assert [figure is not None for figure in (*found, *on_a_scale)] == {
        Inputs.NONE: [True, True, True, True],
        Inputs.LEVEL: [True, True, True, True],
        Inputs.SCALE: [False, False, True, True],
        Inputs.TWO_ANNOTATORS: [True, False, True, False],
    }[coefficient.inputs]


def test_a_coefficient_is_computed_from_its_inputs():
    judged, by_two = krippendorff_example(), cohen_example()

    assert ordinal(COEFFICIENTS["alpha"], judged) == krippendorff_alpha(
        judged, level="ordinal", values=NUMBERS, **BOOTSTRAP
    )
    assert ordinal(COEFFICIENTS["ac2"], judged) == gwet_ac2(judged, values=NUMBERS, **BOOTSTRAP)
    assert nominal(COEFFICIENTS["cohen"], by_two) == cohen_kappa(
        by_two, ("worker 0", "worker 1"), **BOOTSTRAP
    )


def test_those_that_may_be_quoted_come_first():
    assert list(COEFFICIENTS)[:3] == ["raw", "alpha", "cohen"]


def test_only_coefficients_with_a_column_are_in_tables_of_several_questions():
    assert {"raw", "alpha", "ac1", "ac2"} <= set(IN_COLUMNS)
    assert "fleiss" not in IN_COLUMNS
    assert "ac2" not in OF_EVERY_QUESTION


@all_cases("key", COEFFICIENTS)
def test_the_documentation_of_reports_has_every_coefficient(key):
    text = (ROOT / "docs/report.md").read_text(encoding="utf-8")

    assert f"\n- `{key}`" in text
