import pytest

from bench.load.figures import (
    AnsweredRequest,
    Differences,
    JudgementRecord,
    Waits,
    differences,
    pace,
    percentile,
    waits,
)

ONE = JudgementRecord("a-1", "0" * 32, "plausible")
TWO = JudgementRecord("a-2", "1" * 32, "malformed")


@pytest.mark.parametrize(
    ("share", "expected"), [(0.5, 2.0), (0.75, 3.0), (0.76, 4.0), (0.99, 4.0), (0.0, 1.0)]
)
def test_a_percentile_is_the_smallest_value_that_so_many_do_not_exceed(share, expected):
    assert percentile([4.0, 1.0, 3.0, 2.0], share) == expected


def test_there_is_no_percentile_of_nothing():
    assert percentile([], 0.5) is None


def test_the_pace_counts_what_was_answered_in_time():
    answered = [AnsweredRequest(0.5, 0.010), AnsweredRequest(2.0, 0.030), AnsweredRequest(2.1, 5.0)]

    found = pace(answered, 2.0)

    assert (found.n_judgements, found.per_second) == (2, 1.0)
    assert (found.p50, found.p95) == (10.0, 30.0)


def test_of_requests_that_were_sent_at_once_the_longest_wait_is_given():
    assert waits([0.2, 0.1, 1.5]) == Waits(200.0, 1500.0)
    assert waits([]) == Waits(None, None)


def test_what_was_told_and_stands_there_is_kept():
    assert differences([ONE, TWO], [TWO, ONE]) == Differences(2, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("stored", "wrong"),
    [
        ([ONE], {"n_lost": 1}),
        ([ONE, TWO, TWO], {"n_doubled": 1}),
        (
            [ONE, TWO, JudgementRecord("b-9", TWO.assignment, "plausible")],
            {"n_doubled": 1, "n_untold": 1},
        ),
        ([ONE, TWO, JudgementRecord("b-9", "2" * 32, "plausible")], {"n_untold": 1}),
        ([ONE, TWO._replace(label="plausible")], {"n_changed": 1}),
    ],
    ids=["lost", "stored twice", "two on one assignment", "nobody was told", "another label"],
)
def test_what_differs_from_what_was_told_is_counted(stored, wrong):
    assert differences([ONE, TWO], stored) == Differences(2, 0, 0, 0, 0)._replace(**wrong)
