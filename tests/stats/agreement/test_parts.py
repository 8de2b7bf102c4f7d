"""Agreement by label, by annotator, by pair and over time, and the confusion of labels."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.agreement.by_annotator import agreement_with_others
from stats.agreement.by_label import label_shares, specific_agreement
from stats.agreement.cohen_kappa import common_items, pairwise_kappa
from stats.agreement.confusion import confusion, confusion_of_two
from stats.agreement.krippendorff_alpha import krippendorff_alpha
from stats.agreement.nominal import prevalence, raw_agreement
from stats.agreement.over_time import over_time
from tests.cases import all_cases
from tests.stats.agreement.codings import FLEISS_1971, cohen_example, of_rows, table

items = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", None]), min_size=4, max_size=4),
    min_size=1,
    max_size=12,
)


def values(figures):
    return {name: figure.value for name, figure in figures.items()}


# By label


def test_specific_agreement_of_two_people_is_that_of_cicchetti_and_feinstein():
    # 2·20 / (25 + 30) and 2·15 / (25 + 20)
    assert list(values(specific_agreement(cohen_example())).values()) == pytest.approx(
        [40 / 55, 30 / 45]
    )


def test_specific_agreement_of_many_is_agreeing_pairs_over_possible_ones():
    # a: one pair of a a b agrees of 2·2 ordered places, two of a a
    found = values(specific_agreement(table(["aab", "aa", "b"])))

    assert found == {"a": pytest.approx((2 + 2) / (4 + 2)), "b": 0.0}


@given(items)
def test_specific_agreement_is_the_diagonal_of_the_confusion_over_its_row(judged):
    judgements = table(judged)
    rows = confusion(judgements)

    for place, label in enumerate(judgements.labels):
        figure = specific_agreement(judgements)[label]
        possible = rows[place].sum()
        assert (figure.value is None) == (possible == 0) == (figure.reason is not None)
        assert not possible or figure.value == pytest.approx(rows[place, place] / possible)


def test_a_label_that_was_given_to_single_items_only_has_no_agreement():
    figure = specific_agreement(table(["aa", "ab", "c"]))["c"]

    assert (figure.value, figure.reason) == (None, "given to no item with two judgements")


def test_a_replicate_without_the_label_is_undefined_and_counted():
    figure = specific_agreement(table(["aa", "aa", "ab", "aa"]))["b"]

    assert figure.interval.n_undefined > 100


def test_the_prevalence_of_a_label_has_an_interval():
    judgements = table(["ab", "aa", "aa", "bb"])

    found = label_shares(judgements)

    assert values(found) == pytest.approx(prevalence(judgements))
    assert found["a"].interval.low < found["a"].value < found["a"].interval.high
    assert label_shares(table([])) == {}


# By annotator


def test_each_annotator_is_held_against_the_others():
    found = values(agreement_with_others(table(["aab"])))

    assert found == {"worker 0": 0.5, "worker 1": 0.5, "worker 2": 0.0}


def test_of_two_people_both_have_the_raw_agreement():
    found = agreement_with_others(cohen_example())
    raw = raw_agreement(cohen_example())

    assert set(values(found).values()) == {raw.value}
    assert {figure.interval.low for figure in found.values()} == {raw.interval.low}


@given(items)
def test_weighted_by_their_items_the_annotators_have_the_agreement_of_all(judged):
    """Each item of m judgements is in m means: the mean over judgements is that over them all."""
    judgements = table(judged)
    found = [each for each in agreement_with_others(judgements).values() if each.value is not None]
    sizes = judgements.sizes[judgements.sizes >= 2]
    counts = judgements.counts[judgements.sizes >= 2]
    agreeing = ((counts * (counts - 1)).sum(axis=1) / (sizes - 1)).sum() if len(sizes) else 0

    assert sum(each.value * each.basis.n_items for each in found) == pytest.approx(agreeing)


def test_who_judged_alone_has_no_agreement_with_others():
    figure = agreement_with_others(table([["a", "a", None], [None, None, "b"]]))["worker 2"]

    assert (figure.value, figure.reason) == (None, "nobody else judged an item of theirs")
    assert figure.basis.n_questions == 0


# By pair


def test_the_pairs_with_the_most_in_common_are_taken():
    judgements = table([["a", "a", None], ["a", "b", None], ["b", None, "b"], ["a", "a", "a"]])

    assert common_items(judgements) == {
        ("worker 0", "worker 1"): 3,
        ("worker 0", "worker 2"): 2,
        ("worker 1", "worker 2"): 1,
    }
    assert set(pairwise_kappa(judgements, at_least=2)) == {
        ("worker 0", "worker 1"),
        ("worker 0", "worker 2"),
    }
    assert set(pairwise_kappa(judgements, at_most=1)) == {("worker 0", "worker 1")}
    assert common_items(table(["a"])) == {}


@given(items)
def test_the_confusions_of_two_add_up_to_that_of_all(judged):
    judgements = table(judged)
    total = np.zeros_like(confusion(judgements))

    for pair, n in common_items(judgements).items():
        counts = confusion_of_two(judgements, pair)
        assert counts.sum() == n
        total += counts + counts.T

    assert (total == confusion(judgements)).all()


def test_the_confusion_takes_nobody_for_the_truth():
    assert confusion(table(["aa", "ab"])).tolist() == [[2, 1], [1, 0]]


# Over time


def end_times(judgements, times=None):
    return dict(zip(judgements.tasks, times or sorted(judgements.tasks), strict=True))


def test_windows_hold_equal_numbers_of_items_in_the_order_of_time():
    judgements = table(FLEISS_1971 + FLEISS_1971[:20])

    first, second = over_time(judgements, end_times(judgements))

    assert (first.raw.basis.n_items, second.raw.basis.n_items) == (25, 25)
    assert (first.first, first.last, second.first) == ("item 00000", "item 00024", "item 00025")
    assert first.raw.value == raw_agreement(table(FLEISS_1971[:25])).value
    assert first.alpha.value == pytest.approx(
        krippendorff_alpha(table(FLEISS_1971[:25])).value, abs=1e-12
    )


def test_the_order_of_time_is_not_that_of_names():
    judgements = table(["aa"] * 20 + ["ab"] * 20)
    times = [f"2026-01-{40 - number:02}" for number in range(40)]

    first, second = over_time(judgements, end_times(judgements, times))

    assert (first.raw.value, second.raw.value) == (0.0, 1.0)
    assert first.first == "2026-01-01"


@all_cases(("n", "windows"), [(0, 0), (1, 1), (39, 1), (40, 2), (199, 9), (900, 10)])
def test_a_window_has_twenty_items_and_there_are_ten_at_most(n, windows):
    judgements = table(["ab", "aa", "bb"] * (n // 3) + ["ab"] * (n % 3) + ["a"])

    found = over_time(judgements, end_times(judgements))

    assert len(found) == windows
    assert sum(each.raw.basis.n_items for each in found) == n
    sizes = [each.raw.basis.n_items for each in found]
    assert not sizes or max(sizes) - min(sizes) <= 1


def test_a_window_of_one_category_says_that_alpha_is_undefined():
    judgements = table(["aa"] * 20 + ["ab"] * 20)

    first, second = over_time(judgements, end_times(judgements))

    assert (first.raw.value, first.alpha.value, first.alpha.reason) == (
        1.0,
        None,
        "one category only",
    )
    assert second.alpha.value is not None


def test_a_part_of_the_judgements_has_the_names_that_occur_in_it():
    judgements = of_rows([("t1", "w1", "a", "q"), ("t1", "w2", "a", "q"), ("t2", "w3", "b", "q")])

    part = judgements.only(np.array([0]))

    assert (part.tasks, part.workers, part.labels) == (("t1",), ("w1", "w2"), ("a",))


def test_questions_stay_apart_in_a_part():
    random = Random(3)
    rows = [(f"t{n:02}", w, random.choice("ab"), f"q{n // 4}") for n in range(40) for w in "xy"]

    part = of_rows(rows).only(np.arange(20))

    assert part.question.tolist() == [n // 4 for n in range(20)]
