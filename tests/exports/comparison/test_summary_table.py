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


def latex_of(**figure):
    interval = {"low": 2.5, "high": 3.5, "reason": None}
    none = {"value": None, "reason": "none", "interval": {"low": None, "high": None}}
    scales = {"faithful": {"value": 3.0, "interval": interval, **figure}}
    names = ("length", "unanswerable_accuracy")
    return summary_table.latex(
        {
            "notes": [],
            "setups": [
                {
                    **setup("gold", "a"),
                    "runs": [{"run": "alder", "kind": "system"}],
                    "scales": [{"appropriate": none, "both": none, **scales}],
                    "win_rates": {"zero": {"rates": [{**none, "n_comparisons": 0}]}},
                    "automatic": {"runs": [dict.fromkeys(names, none)]},
                }
            ],
        }
    )


def test_in_latex_an_interval_is_for_people_like_those_who_judged():
    text = latex_of(people_interval={"low": 2.1, "high": 3.9, "reason": None})

    assert "[2.10, 3.90]" in text
    assert "for questions and people like these" in text
    assert "dagger" not in text


def test_in_latex_an_interval_for_these_people_only_has_a_dagger():
    text = latex_of(people_interval={"low": None, "high": None, "reason": "fewer"})

    assert "[2.50, 3.50]$^\\dagger$" in text
    assert f"$\\dagger$ {summary_table.FOR_THESE}" in text


def test_in_latex_figures_without_people_have_the_interval_over_questions():
    text = latex_of()

    assert "[2.50, 3.50]" in text
    assert "people like these" not in text
    assert "(Student's t over questions; of unanswerable" in text
