"""Numbers on pages."""

import pytest
from django.template import engines


@pytest.mark.parametrize(
    ("number", "places", "shown"),
    [(-0.25, 2, "\N{MINUS SIGN}0.25"), (0.25, 2, "0.25"), (-0.001, 1, "0.0"), (3, 0, "3")],
)
def test_templates_write_a_number_below_0_with_a_minus_sign(number, places, shown):
    template = engines["django"].from_string("{{ number|floatformat:places }}")

    assert template.render({"number": number, "places": places}) == shown
