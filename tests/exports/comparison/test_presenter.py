"""How the page tells a setup's figures: exports/comparison/presenter.py."""

from types import SimpleNamespace

from exports.comparison import presenter as comparison_presenter
from tests.cases import all_cases


def setup(win_rates=None, **by_run):
    scales = [{"run": run, "caution": words} for run, words in by_run.items()]
    return {"scales": scales, "win_rates": {"zero": {"caution": win_rates}}}


def test_a_warning_that_several_runs_share_is_said_once():
    of = setup(alder="on 6 questions.", birch="on 5 questions.", cedar="on 6 questions.")

    assert comparison_presenter.cautions(of) == (
        "alder, cedar, each: on 6 questions.",
        "birch: on 5 questions.",
    )


def test_where_nothing_is_to_be_warned_of_nothing_is_said():
    assert comparison_presenter.cautions(setup(alder=None)) == ()


def test_the_warning_of_the_win_rates_comes_last():
    of = setup(alder="on 6 questions.", win_rates="on 8 questions.")

    assert comparison_presenter.cautions(of) == ("alder: on 6 questions.", "on 8 questions.")


def pair(one, other, difference, is_told_apart=True):
    return {"one": one, "other": other, "difference": difference, "is_told_apart": is_told_apart}


def pairs(*found):
    return comparison_presenter.Pairs("Faithful", found, len(found), len(found), None)


def test_pairs_told_apart_are_named_the_better_run_first():
    of = pairs(pair("alder", "birch", 0.5), pair("alder", "cedar", -1.0), pair("b", "c", 2, False))

    assert of.better_runs == [("alder", "birch"), ("cedar", "alder")]


def test_more_pairs_than_are_read_in_a_line_are_not_named():
    most = [pair("alder", f"r{n}", 1.0) for n in range(comparison_presenter.MAX_NAMED)]

    assert len(pairs(*most).better_runs) == comparison_presenter.MAX_NAMED
    assert pairs(*most, pair("b", "c", 1.0)).better_runs == []


def fit(*strengths, told_apart=(), n_groups=1):
    rows = tuple((run, {"value": value}, {}) for run, value in strengths)
    pairs = frozenset(frozenset(each) for each in told_apart)
    return comparison_presenter.Fit("model", (), rows, None, n_groups, pairs)


ABC = (("a", 1.0), ("b", 0.0), ("c", -1.0))


@all_cases(
    ("found", "strongest", "weakest"),
    [
        (fit(*ABC, told_apart=["ab", "ac", "bc"]), "a", "c"),
        (fit(*ABC, told_apart=["ab", "ac"]), "a", None),
        (fit(*ABC, told_apart=["bc", "ac"]), None, "c"),
        (fit(*ABC, told_apart=["ac"]), None, None),
        (fit(*ABC), None, None),
        (fit(("a", 1.0), ("b", -1.0), told_apart=["ab"], n_groups=2), None, None),
        (fit(("a", 1.0), ("b", None), told_apart=["ab"]), None, None),
        (fit(), None, None),
    ],
)
def test_a_run_is_the_strongest_only_if_it_differs_significantly_from_every_other(
    found, strongest, weakest
):
    assert (found.strongest, found.weakest) == (strongest, weakest)


def keeps_order(**rates):
    section = SimpleNamespace(
        win_rates=[(run, [{"value": value} for value in of]) for run, of in rates.items()]
    )
    return comparison_presenter.Section.keeps_order.fget(section)


def test_the_order_changes_where_one_run_passes_another():
    assert keeps_order(a=(0.5, 0.6, 0.7), b=(0.4, 0.5, 0.6))
    assert keeps_order(a=(0.5, 0.6, 0.7), b=(0.4, 0.6, 0.6))  # level is not passed
    assert keeps_order(a=(0.5, 0.6, 0.7), b=(None, None, None))
    assert not keeps_order(a=(0.5, 0.6, 0.7), b=(0.4, 0.65, 0.6))
