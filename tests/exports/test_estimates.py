import pytest

from exports.results.charts import Mark
from exports.templatetags import comparisons, estimates

INTERVAL = {"low": 0.0625, "high": 0.5}


def test_an_interval_is_written_from_low_to_high():
    assert estimates.interval_ends(INTERVAL) == "0.063 to 0.500"
    assert estimates.share_interval_ends(INTERVAL) == "6 % to 50 %"


def test_a_figure_has_its_interval_in_brackets_or_says_why_there_is_none():
    known = {"value": 0.25, **INTERVAL}
    alone = {"value": 0.25, "low": None, "high": None, "no_interval": "one question"}
    undefined = {"value": None, "reason": "no pair"}

    assert estimates.value_and_interval(known) == "0.250 (0.063 to 0.500)"
    assert estimates.value_and_interval(alone) == "0.250, no interval: one question"
    assert estimates.value_and_interval(undefined) == "undefined: no pair"


def test_a_rate_has_its_interval_in_brackets_where_there_is_one():
    alone = {"low": None, "high": None}

    assert (
        estimates.share_and_interval({"value": 0.25, "interval": INTERVAL}) == "25 % (6 % to 50 %)"
    )
    assert estimates.share_and_interval({"value": 0.25, "interval": alone}) == "25 %"
    undefined = {"value": None, "reason": "nothing of it is settled"}
    assert estimates.share_and_interval(undefined) == "undefined: nothing of it is settled"


def test_an_interval_is_written_as_its_value_is_or_says_why_there_is_none():
    none = {"low": None, "high": None, "reason": "one question"}

    assert estimates.share_interval(INTERVAL) == "6 % to 50 %"
    assert estimates.points_interval({"low": -0.25, "high": 0.5}) == "\N{MINUS SIGN}25.0 to 50.0"
    assert comparisons.signed_interval({"low": -0.25, "high": 0.5}) == "\N{MINUS SIGN}0.25 to 0.50"
    assert comparisons.interval_text(none, "share") == "no interval: one question"


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ((None, None, None, None, None), "no rate"),
        ((60.0, None, None, None, None), "60 %, no interval"),
        ((60.0, 40.0, 81.2, None, None), "60 %, 95 % interval 40 to 81 %"),
        ((60.0, 40.0, 81.2, 20.0, 90.0), "60 %, 95 % interval 40 to 81 %; bounds 20 to 90 %"),
    ],
)
def test_the_picture_of_a_rate_is_said_in_words(numbers, words):
    assert estimates.rate_in_words(Mark("alder", *numbers)) == words
