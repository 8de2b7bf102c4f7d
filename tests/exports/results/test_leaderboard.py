"""The order of the runs and the letters of those that do not differ."""

from exports.results.leaderboard import rows


def board(values, differ=(), n_open=0):
    """The rows of a leaderboard of runs by their plausible rate."""
    rates = [
        (
            {"run": run, "drawn": 9},
            [
                {"run": run, "value": value},
                {"run": run, "value": None},
                {"run": run, "value": None},
            ],
        )
        for run, value in values.items()
    ]
    pairs = [{"one": one, "other": other, "is_told_apart": True} for one, other in differ]
    return rows(rates, {"pairs": pairs, "n_open": n_open}, "plausible")


def test_the_highest_rate_is_first_and_runs_without_one_are_last():
    found = board({"a": 0.2, "b": None, "c": 0.9})

    assert [(row["run"], row["rank"]) for row in found] == [("c", 1), ("a", 2), ("b", None)]


def test_equal_rates_have_the_same_rank_and_the_next_one_counts_them():
    assert [row["rank"] for row in board({"a": 0.5, "b": 0.5, "c": 0.1})] == [1, 1, 3]


def test_letters_go_by_what_differs_significantly_and_none_is_given_without_a_rate():
    found = board({"a": 0.9, "b": 0.5, "c": 0.1, "d": None}, [("a", "c")])

    assert [row["letters"] for row in found] == ["a", "ab", "b", ""]


def test_a_single_run_needs_no_letter():
    assert board({"a": 0.9, "b": None})[0]["letters"] == ""


def test_runs_that_are_not_tested_share_no_letter():
    assert [row["letters"] for row in board({"a": 0.9, "b": 0.1}, n_open=1)] == ["", ""]
