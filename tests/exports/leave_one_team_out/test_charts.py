"""The picture of biases: all values lie on its scale, and the largest bias stands at the top."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from exports.leave_one_team_out.charts import LEFT, RIGHT, picture
from tests.exports.leave_one_team_out.worked_example import result

SHARES = st.floats(0, 1)


def figures_of(biases):
    return {
        "runs": [
            {
                "run": f"run {number}",
                "bias": {"value": value, "interval": {"low": low, "high": high}},
            }
            for number, (value, low, high) in enumerate(biases)
        ]
    }


def test_the_largest_bias_stands_at_the_top_and_none_at_the_left_end():
    drawn = picture(result()["measures"]["em"], "EM")

    assert [mark.run for mark in drawn.marks] == ["a1", "a2", "b1", "c1"]
    assert drawn.marks[-1].x == LEFT
    assert drawn.ticks[0] == (LEFT, "0.00")
    assert drawn.description == "Bias of each run by EM with its 95 % interval"


def test_without_any_bias_there_is_a_scale_still():
    drawn = picture(figures_of([(0.0, None, None)]), "F1")

    assert [words for _, words in drawn.ticks] == ["0.00", "0.01"]


@given(st.lists(st.tuples(SHARES, SHARES, SHARES), min_size=1, max_size=5))
def test_every_mark_and_interval_is_on_the_scale(biases):
    drawn = picture(figures_of(biases), "EM")

    places = [x for mark in drawn.marks for x in (mark.x, mark.low, mark.high)]
    assert all(LEFT <= x <= RIGHT for x in places)
    assert all(one < other for (one, _), (other, _) in pairwise(drawn.ticks))
    assert 2 <= len(drawn.ticks) <= 7
