"""Where things stand on the pictures of agreement."""

import pytest

from exports.agreement.charts import grid, time_line


def window(raw, alpha=None, *, low=None, high=None):
    interval = {"low": low, "high": high}
    return {
        "raw": {"value": raw, "interval": interval},
        "alpha": {"value": alpha, "interval": {"low": None, "high": None}},
    }


def test_a_cell_is_as_dark_as_its_share_of_the_row():
    found = grid(["a", "b", "c"], [[3, 1, 0], [0, 0, 0], [0, 0, 2]])

    assert [cell.share for cell in found.cells] == [0.75, 0.25, 0, None, None, None, 0, 0, 1]
    assert [cell.opacity for cell in found.cells] == [0.375, 0.125, 0, 0, 0, 0, 0, 0, 0.5]
    assert [(row, [cell.n for cell in cells]) for row, cells in found.by_row] == [
        ("a", [3, 1, 0]),
        ("b", [0, 0, 0]),
        ("c", [0, 0, 2]),
    ]


def test_rows_go_down_and_columns_go_right():
    one, right, below, _ = grid(["a", "b"], [[1, 1], [1, 1]]).cells

    assert (one.row, right.row, below.row) == ("a", "a", "b")
    assert right.x > one.x
    assert right.y == one.y
    assert below.y > one.y
    assert below.x == one.x


@pytest.mark.parametrize("n", [1, 3, 5, 6, 12])
def test_everything_stands_on_the_picture(n):
    found = grid([f"label {number} of a long name" for number in range(n)], [[1] * n] * n)

    assert max(cell.x for cell in found.cells) + found.size <= found.width
    assert max(cell.y for cell in found.cells) + found.size <= found.height
    assert all(len(mark.words) <= 14 for mark in found.rows)


def test_nothing_judged_is_an_empty_grid():
    assert grid([], []).cells == ()


def test_a_higher_value_stands_higher():
    first, second = time_line([window(0.5), window(0.9, low=0.8, high=0.95)]).raw

    assert first.y > second.y
    assert second.top < second.y < second.bottom
    assert (first.top, first.bottom) == (None, None)
    assert first.x < second.x


def test_the_scale_ends_at_nought_and_one():
    assert [mark.words for mark in time_line([window(0.5)]).ticks] == [
        *("0.0", "0.2", "0.4", "0.6", "0.8", "1.0")
    ]


@pytest.mark.parametrize(("least", "lowest"), [(-0.01, "-0.2"), (-0.2, "-0.2"), (-0.5, "-0.6")])
def test_what_is_below_nought_is_on_the_scale(least, lowest):
    line = time_line([window(0.5, least)])

    assert line.ticks[0].words == lowest
    assert line.alpha[0].y <= line.ticks[0].y


def test_an_undefined_figure_has_no_place():
    assert time_line([window(1.0)]).alpha[0].y is None
