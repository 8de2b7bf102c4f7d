import pytest

from pages.charts import Axis, truncated


@pytest.mark.parametrize(("value", "place"), [(1, 170.0), (2.5, 320.0), (4, 470.0)])
def test_an_axis_places_values_between_its_ends(value, place):
    assert Axis(170, 470, 1, 4).place(value) == place


def test_an_axis_may_go_up():
    assert Axis(196, 14).place(0.25) == 150.5


def test_what_has_no_value_has_no_place():
    assert Axis(0, 100).place_if_any(None) is None


@pytest.mark.parametrize(("words", "cut"), [("alder", "alder"), ("dogwood", "dogw…")])
def test_long_words_are_cut(words, cut):
    assert truncated(words, 5) == cut
