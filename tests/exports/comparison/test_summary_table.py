"""The table of runs and setups: what setups are called, and a cell as LaTeX."""

from exports.comparison import summary_table


def setup(name, pool):
    return {"setup": name, "pool": pool}


def test_setups_that_are_alike_are_told_apart_by_their_pools():
    assert summary_table.setup_names([setup("gold", "a"), setup("retrieved", "b")]) == [
        "Gold passages",
        "Retrieved passages",
    ]
    assert summary_table.setup_names([setup("gold", "a"), setup("gold", "b")]) == [
        "Gold passages: a",
        "Gold passages: b",
    ]
    assert summary_table.setup_names([setup("", "a")]) == ["Answers"]


def test_figures_are_written_as_their_kind_is():
    assert summary_table.value_text(269 / 90, "rating") == "2.99"
    assert summary_table.value_text(8 / 12, "share") == "66.7 %"
    assert summary_table.value_text(212.6, "length") == "213"
