"""How the page tells a setup's figures: exports/compared/shown.py."""

from exports.compared import shown


def setup(win_rates=None, **by_run):
    scales = [{"run": run, "caution": words} for run, words in by_run.items()]
    return {"scales": scales, "win_rates": {"zero": {"caution": win_rates}}}


def test_a_warning_that_several_runs_share_is_said_once():
    of = setup(alder="on 6 questions.", birch="on 5 questions.", cedar="on 6 questions.")

    assert shown.cautions(of) == ("alder, cedar, each: on 6 questions.", "birch: on 5 questions.")


def test_where_nothing_is_to_be_warned_of_nothing_is_said():
    assert shown.cautions(setup(alder=None)) == ()


def test_the_warning_of_the_win_rates_comes_last():
    of = setup(alder="on 6 questions.", win_rates="on 8 questions.")

    assert shown.cautions(of) == ("alder: on 6 questions.", "on 8 questions.")
