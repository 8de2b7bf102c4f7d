"""How simulated people of a file work: annotation/rehearsal/people.py and crowds.py."""

from collections import Counter
from dataclasses import replace
from statistics import median

import pytest

from annotation.rehearsal.claims import ClaimsInOrder, ClaimsOfAll
from annotation.rehearsal.crowds import Crowd
from annotation.rehearsal.people import HASTY_TIME, Habits, of_accuracy

LABELS = ("plausible", "implausible", "malformed")
CAREFUL = Habits("careful", LABELS, "plausible", of_accuracy(LABELS, 0.9))
BLIND = Habits("blind", LABELS, "plausible", of_accuracy(LABELS, 0.0))
MANY = 6_000


def said(habits: Habits, truth: str, n_before: int = 0, n: int = MANY) -> Counter[str]:
    return Counter(
        habits.label(seed=1, annotator=1, item=item, n_before=n_before, truth=truth)
        for item in range(n)
    )


def took(habits: Habits, n_before: int = 0) -> list[float]:
    return [
        habits.seconds(seed=1, annotator=1, item=item, n_before=n_before) for item in range(MANY)
    ]


def test_labels_come_as_the_row_of_the_true_label_says():
    row = {"plausible": 0.2, "implausible": 0.5, "malformed": 0.3}
    habits = replace(CAREFUL, confusion=of_accuracy(LABELS, 1.0) | {"malformed": row})

    given = said(habits, "malformed")

    for label, share in row.items():
        assert given[label] / MANY == pytest.approx(share, abs=0.025)
    assert said(habits, "plausible") == {"plausible": MANY}


def test_a_label_that_a_row_lacks_is_never_given():
    habits = replace(CAREFUL, confusion={"malformed": {"plausible": 0.4, "malformed": 0.6}})

    assert set(said(habits, "malformed")) == {"plausible", "malformed"}


def test_who_is_more_often_right_is_right_where_the_other_was():
    better = replace(CAREFUL, confusion=of_accuracy(LABELS, 0.95))

    def right(habits: Habits) -> set[int]:
        return {
            item
            for item in range(500)
            if habits.label(seed=1, annotator=1, item=item, n_before=0, truth="malformed")
            == "malformed"
        }

    assert right(CAREFUL) < right(better)


def test_random_answers_are_any_label():
    given = said(replace(BLIND, random=1.0), "plausible")

    assert all(given[label] / MANY == pytest.approx(1 / 3, abs=0.025) for label in LABELS)


def test_a_share_of_random_answers_leaves_the_others_as_they_are():
    given = said(replace(BLIND, random=0.5), "malformed")

    assert given["malformed"] / MANY == pytest.approx(0.5 / 3, abs=0.02)


def test_one_key_is_pressed_from_its_judgement_on():
    habits = replace(BLIND, one_key_after=3, one_key="malformed")

    assert "malformed" not in said(habits, "malformed", n_before=2)
    assert said(habits, "plausible", n_before=3) == {"malformed": MANY}


def test_one_key_without_a_name_is_the_commonest_label():
    assert said(replace(BLIND, one_key_after=0), "malformed") == {"plausible": MANY}


def test_haste_grows_with_the_judgements_made():
    habits = replace(CAREFUL, confusion=of_accuracy(LABELS, 1.0), haste=0.6, haste_after=50)

    shares = [said(habits, "malformed", n)["plausible"] / MANY for n in (0, 50, 10_000)]

    assert shares[0] == 0
    assert shares[1:] == pytest.approx([0.3, 0.597], abs=0.025)


def test_times_are_log_normal_with_their_median_and_spread():
    times = took(replace(CAREFUL, median_seconds=20.0, spread=1.5))

    assert median(times) == pytest.approx(20, rel=0.03)
    within = sum(20 / 1.5 <= each <= 20 * 1.5 for each in times)
    assert within / MANY == pytest.approx(0.683, abs=0.025)


def test_without_looking_it_takes_a_quarter_of_the_time():
    one_key = replace(CAREFUL, one_key_after=0)

    assert took(one_key) == pytest.approx([each * HASTY_TIME for each in took(CAREFUL)], abs=1e-3)


def test_without_a_spread_every_judgement_takes_the_same():
    assert set(took(replace(CAREFUL, spread=1.0))) == {20.0}


def work(crowd: Crowd, n_items: int, each: int, **how: object) -> list:
    return crowd.works(items=range(n_items), claims=ClaimsInOrder([each] * n_items), **how)


def test_who_leaves_leaves_after_all_that_they_made():
    crowd = Crowd([replace(CAREFUL, leaves_after=5), CAREFUL], seed=1)

    first = work(crowd, 3, 2)
    later = crowd.after(first)
    second = work(later, 9, 2)

    assert Counter(each.annotator for each in first) == {1: 3, 2: 3}
    assert Counter(each.annotator for each in second) == {1: 2, 2: 9}
    assert Counter(each.annotator for each in work(later.after(second), 9, 2)) == {2: 9}


def test_habits_begin_after_the_judgements_of_earlier_batches():
    crowd = Crowd([replace(BLIND, one_key_after=4, one_key="malformed")], seed=1)
    later = crowd.after(work(crowd, 3, 1))

    labels = [later.label(each, each.index, "malformed") for each in work(later, 3, 1)]

    assert labels[0] != "malformed"
    assert labels[1:] == ["malformed"] * 2


def test_only_those_who_may_work_do():
    works = work(Crowd([CAREFUL] * 4, seed=1), 6, 2, who={2, 3})

    assert {each.annotator for each in works} == {2, 3}
    assert len(works) == 12


def test_everybody_judges_all_of_a_training_in_its_order():
    works = Crowd([CAREFUL] * 3, seed=1).works(items=range(4), claims=ClaimsOfAll(4))

    for number in (1, 2, 3):
        own = [each.index for each in works if each.annotator == number]
        assert own == [0, 1, 2, 3]
