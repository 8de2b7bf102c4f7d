"""Pictures of runs: which interval is the line, and which has ticks."""

import pytest

from exports.comparison.charts import PICTURE_COLUMNS, picture

FAITHFUL = PICTURE_COLUMNS[0]


def drawn(**figure):
    own = {"low": 2.5, "high": 3.5, "reason": None}
    scales = [{"faithful": {"value": 3.0, "interval": own, **figure}}]
    return picture({"runs": [{"run": "alder"}], "scales": scales}, FAITHFUL)


def ends(of):
    (mark,) = of.marks
    return mark.low, mark.high


def test_the_line_is_the_interval_for_people_like_those_who_judged_and_ticks_that_for_these():
    alone = drawn()

    both = drawn(people_interval={"low": 2.0, "high": 4.0, "reason": None})

    assert ends(both)[0] < ends(alone)[0] < ends(alone)[1] < ends(both)[1]
    assert both.marks[0].ticks == pytest.approx(ends(alone))
    assert both.description.endswith("for people like those who judged, and ticks for these people")


@pytest.mark.parametrize(
    "figure", [{}, {"people_interval": {"low": None, "high": None, "reason": "too few"}}]
)
def test_without_it_the_line_is_the_one_interval(figure):
    found = drawn(**figure)

    assert ends(found) == ends(drawn())
    assert found.marks[0].ticks == ()
    assert found.description == "Faithful of each run with its 95 % interval"
