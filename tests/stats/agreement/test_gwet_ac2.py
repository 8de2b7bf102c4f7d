"""Gwet's AC2."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.agreement.gwet_ac2 import gwet_ac2
from stats.agreement.nominal import gwet_ac1
from tests.stats.agreement.codings import krippendorff_example, table

NUMBERS = {str(n): float(n) for n in range(1, 6)}


@pytest.mark.parametrize(
    ("level", "published"), [("ordinal", 0.899), ("linear", 0.859), ("interval", 0.914)]
)
def test_ac2_meets_the_values_of_irrcac_with_missing_data(level, published):
    # Gwet (2014), page 120: cac.raw4raters. The values are those that the Python port irrCAC 0.4 holds
    # in its tests (test_gwet.py) against the R package: ordinal, linear and quadratic weights.
    figure = gwet_ac2(krippendorff_example(), level=level, values=NUMBERS)

    assert figure.value == pytest.approx(published, abs=0.0005)
    assert figure.basis.n_items == 12


@given(st.lists(st.lists(st.sampled_from(["1", "4"]), min_size=2, max_size=4), min_size=1))
@pytest.mark.parametrize("level", ["ordinal", "linear", "interval"])
def test_with_two_labels_ac2_is_ac1(level, judged):
    ac2 = gwet_ac2(table(judged), level=level, values=NUMBERS)
    ac1 = gwet_ac1(table(judged))

    assert (ac2.value is None) == (ac1.value is None)
    assert ac2.value is None or ac2.value == pytest.approx(ac1.value, abs=1e-12)
    assert ac2.interval.low is None or ac2.interval.low == pytest.approx(ac1.interval.low)


def test_a_near_miss_agrees_more_than_a_wide_one():
    near, wide = table(["12", "11", "55"]), table(["15", "11", "55"])

    assert gwet_ac2(near, values=NUMBERS).value > gwet_ac2(wide, values=NUMBERS).value


def test_the_order_of_labels_is_that_of_their_numbers():
    named = table(["ab", "bc", "cc", "aa"])
    values = {"a": 3.0, "b": 1.0, "c": 2.0}
    in_order = table(
        [[{"a": "3", "b": "1", "c": "2"}[v] for v in item] for item in ("ab", "bc", "cc", "aa")]
    )

    assert gwet_ac2(named, values=values).value == gwet_ac2(in_order, values=NUMBERS).value


def test_ac2_of_one_category_is_undefined():
    figure = gwet_ac2(table(["11", "11"]), values=NUMBERS)

    assert (figure.value, figure.reason) == (None, "one category only")


@pytest.mark.parametrize(
    ("level", "values", "said"),
    [
        ("nominal", NUMBERS, "level is one of"),
        ("ordinal", {"1": 1.0}, "no number for 2"),
        ("ordinal", {"1": 1.0, "2": 1.0}, "the same number"),
    ],
)
def test_ac2_refuses_what_is_no_scale(level, values, said):
    with pytest.raises(ValueError, match=said):
        gwet_ac2(table(["12", "11"]), level=level, values=values)
