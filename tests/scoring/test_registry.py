"""Every measure that the registry names can be asked for, and every metric is served by somebody."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.models import Metric
from scoring.registry import MEASURES

measures = pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)


def test_every_metric_is_a_measure_or_needs_a_model():
    assert set(Metric.values) == {*MEASURES, "sas"}


@measures
def test_a_measure_says_whose_definition_it_follows(measure):
    assert measure.scorer
    assert measure.version
    assert "#" not in measure.scorer  # which parts name and version


@measures
@given(st.text(), st.text())
def test_a_measure_is_between_0_and_1_and_sees_no_order(measure, one, other):
    value = measure.function(one, other)

    assert 0 <= value <= 1
    assert measure.function(other, one) == value


@measures
@given(st.text())
def test_a_text_is_as_like_itself_as_can_be(measure, text):
    assert measure.function(text, text) == 1


def test_the_names_mean_what_they_say():
    asked = ("The black stone.", "a black pebble")

    assert MEASURES["em"].function(*asked) == 0
    assert MEASURES["f1"].function(*asked) == 0.5
