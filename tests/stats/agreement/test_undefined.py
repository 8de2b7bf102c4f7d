"""Where there is no figure, and why; what is refused."""

import pytest

from stats.agreement.cohen_kappa import cohen_kappa, pairwise_kappa
from stats.agreement.judgement_table import Judgements
from stats.agreement.krippendorff_alpha import krippendorff_alpha
from stats.agreement.nominal import fleiss_kappa, gwet_ac1, raw_agreement, raw_wilson
from stats.proportion_intervals import wilson
from tests.cases import all_cases
from tests.stats.agreement.codings import cohen_example, krippendorff_example, of_rows, table

CORRECTED = [fleiss_kappa, krippendorff_alpha, gwet_ac1]
NUMBERS = {str(n): float(n) for n in range(1, 6)}


@all_cases("coefficient", [raw_agreement, *CORRECTED])
@all_cases(
    ("judged", "reason"),
    [
        ([], "no judgements"),
        (["a", "b"], "a single annotator"),
        ([["a", None], [None, "b"]], "no item has two judgements"),
    ],
)
def test_without_pairs_there_is_no_value_but_a_reason(coefficient, judged, reason):
    figure = coefficient(table(judged))

    assert (figure.value, figure.reason) == (None, reason)
    assert (figure.interval.low, figure.interval.high) == (None, None)
    assert figure.interval.reason == reason


@pytest.mark.parametrize("coefficient", CORRECTED)
def test_one_category_only_has_no_value_but_a_reason(coefficient):
    figure = coefficient(table(["aa", "aa", "aa"]))

    assert (figure.value, figure.reason) == (None, "one category only")


def test_a_second_category_on_items_judged_once_does_not_define_alpha():
    assert krippendorff_alpha(table(["aa", "aa", "b"])).reason == "one category only"


def test_raw_agreement_of_one_category_is_one_without_an_interval():
    figure = raw_agreement(table(["aa", "aa", "aa"]))

    assert figure.value == 1.0
    assert figure.interval.low is None
    assert figure.interval.reason == "all replicates are equal"


def test_fleiss_kappa_refuses_unequal_numbers_of_judgements():
    figure = fleiss_kappa(table(["aab", "ab", "bbb"]))

    assert figure.reason == "items have unequal numbers of judgements (2 to 3)"
    assert figure.value is None


def test_cohens_kappa_of_two_who_share_no_item_has_a_reason():
    figure = cohen_kappa(table([["a", None], [None, "a"]]), ("worker 0", "worker 1"))

    assert (figure.value, figure.reason) == (None, "no item was judged by both")


def test_cohens_kappa_of_two_who_only_use_one_label_has_a_reason():
    figure = cohen_kappa(table(["aab", "aaa"]), ("worker 0", "worker 1"))

    assert (figure.value, figure.reason) == (None, "one category only")


def test_cohens_kappa_refuses_a_worker_who_judged_nothing():
    with pytest.raises(ValueError, match="no judgement by 'mallory'"):
        cohen_kappa(cohen_example(), ("worker 0", "mallory"))


def test_pairwise_kappa_lists_every_two_workers_with_an_item_in_common():
    judgements = table([["a", "a", None], ["b", "a", None], [None, "b", "b"]])

    assert list(pairwise_kappa(judgements)) == [
        ("worker 0", "worker 1"),
        ("worker 1", "worker 2"),
    ]


@pytest.mark.parametrize(
    ("judged", "questions", "reason"),
    [
        (["aab", "aa"], None, "an item has more than two judgements"),
        (["ab", "aa"], ["q", "q"], "items of one question are not independent"),
        (["a", "b"], None, "a single annotator"),
    ],
)
def test_wilson_for_raw_agreement_is_refused_where_it_does_not_hold(judged, questions, reason):
    assert raw_wilson(table(judged, questions)).reason == reason


def test_wilson_for_raw_agreement_counts_the_agreed_items():
    assert raw_wilson(table(["aa", "ab", "bb", "a"])) == wilson(2, 3)


ROW = ("t", "w", "a", "q")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([ROW, ("t", "w", "b", "q")], "worker 'w' judged task 't' twice"),
        ([ROW, ("t", "v", "a", "p")], "task 't' belongs to two questions"),
    ],
)
def test_a_contradictory_table_is_refused(rows, words):
    with pytest.raises(ValueError, match=words):
        of_rows(rows)


def test_columns_of_different_length_are_refused():
    with pytest.raises(ValueError, match="differ in length"):
        Judgements.from_columns(task=["t"], worker=["w"], label=["a"], question=[])


@pytest.mark.parametrize(
    ("level", "values", "words"),
    [
        ("metric", NUMBERS, "level is one of nominal"),
        ("interval", {"1": 1.0}, "no number for 2, 3, 4, 5"),
        ("ordinal", NUMBERS | {"2": float("nan")}, "no number for 2"),
        ("ordinal", NUMBERS | {"2": 1.0}, "two labels have the same number"),
        ("ratio", NUMBERS | {"2": -1.0}, "0 or more"),
    ],
)
def test_alpha_refuses_labels_without_proper_numbers(level, values, words):
    with pytest.raises(ValueError, match=words):
        krippendorff_alpha(krippendorff_example(), level=level, values=values)
