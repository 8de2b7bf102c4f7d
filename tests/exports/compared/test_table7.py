"""The table of runs and setups: what setups are called, and a cell as LaTeX."""

from exports.compared import table7


def setup(name, pool):
    return {"setup": name, "pool": pool}


def test_setups_that_are_alike_are_told_apart_by_their_pools():
    assert table7.called([setup("gold", "a"), setup("retrieved", "b")]) == [
        "Gold passages",
        "Retrieved passages",
    ]
    assert table7.called([setup("gold", "a"), setup("gold", "b")]) == [
        "Gold passages: a",
        "Gold passages: b",
    ]
    assert table7.called([setup("", "a")]) == ["Answers"]


def test_figures_are_written_as_their_kind_is():
    assert table7.written(269 / 90, "rating") == "2.99"
    assert table7.written(8 / 12, "share") == "66.7 %"
    assert table7.written(212.6, "length") == "213"
