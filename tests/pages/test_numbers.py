"""Numbers on pages."""

import pytest
from django.template import defaultfilters, engines
from hypothesis import example, given
from hypothesis import strategies as st

from pages.templatetags.numbers import MINUS, floatformat, significant


@pytest.mark.parametrize(
    ("number", "places", "shown"),
    [(-0.25, 2, "\N{MINUS SIGN}0.25"), (0.25, 2, "0.25"), (-0.001, 1, "0.0"), (3, 0, "3")],
)
def test_templates_write_a_number_below_0_with_a_minus_sign(number, places, shown):
    template = engines["django"].from_string("{{ number|floatformat:places }}")

    assert template.render({"number": number, "places": places}) == shown


@given(st.floats() | st.integers(), st.integers(-3, 12))
@example(0.0045, 3)
@example(-0.0004, 3)
@example(-0.0, 2)
@example(1e-300, 3)
@example(9.9995, 3)
@example(-1e12, 9)
def test_a_number_reads_as_by_djangos_filter(number, places):
    assert floatformat(number, places) == defaultfilters.floatformat(number, places).replace(
        "-", MINUS
    )


@pytest.mark.parametrize(
    ("number", "shown"), [(0.0043219, "0.0043"), (0.0000321, "0.000032"), (12.3456, "12"), (0, "0")]
)
def test_a_small_number_keeps_its_significant_digits(number, shown):
    assert significant(number) == shown
