"""Pictures of runs: which interval is the line, and which has ticks."""

import pytest

from exports.comparison.charts import PICTURE_COLUMNS, picture

FAITHFUL = PICTURE_COLUMNS[0]
WIDER = {"low": 2.0, "high": 4.0, "reason": None}


def drawn(**figure):
    return picture({"runs": [{"run": "alder"}], "scales": [scale(**figure)]}, FAITHFUL)


def scale(**figure):
    own = {"low": 2.5, "high": 3.5, "reason": None}
    return {"faithful": {"value": 3.0, "interval": own, **figure}}


def ends(of):
    (mark,) = of.marks
    return mark.low, mark.high


def test_the_line_is_the_interval_for_people_like_those_who_judged_and_ticks_that_for_these():
    alone = drawn()

    both = drawn(people_interval=WIDER)

    assert ends(both)[0] < ends(alone)[0] < ends(alone)[1] < ends(both)[1]
    assert both.marks[0].ticks == pytest.approx(ends(alone))
    assert both.description.endswith(
        "for people like those who judged, and ticks at the ends of that for these people"
    )


def test_the_description_says_where_the_line_is_for_these_people_only():
    runs = [{"run": "alder"}, {"run": "birch"}]

    found = picture({"runs": runs, "scales": [scale(people_interval=WIDER), scale()]}, FAITHFUL)

    assert found.description.endswith("without ticks for these people only")


@pytest.mark.parametrize(
    "figure", [{}, {"people_interval": {"low": None, "high": None, "reason": "too few"}}]
)
def test_without_it_the_line_is_the_one_interval(figure):
    found = drawn(**figure)

    assert ends(found) == ends(drawn())
    assert found.marks[0].ticks == ()
    assert found.description == "Faithful of each run with its 95 % interval"
