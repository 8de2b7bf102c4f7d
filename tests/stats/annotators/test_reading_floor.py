"""Work faster than reading is marked, whatever others do."""

import pytest

from stats.annotators.entries import Entry
from stats.annotators.reading_floor import least_seconds, reading_floor
from stats.annotators.report import as_json, examine


def entry(worker: str, number: int, seconds: float, n_answer_words: int = 12) -> Entry:
    return Entry(
        worker=worker,
        batch="b",
        submission=f"{worker}-{number}",
        item=f"i{number}",
        turn=f"t{number}",
        asked="plausibility",
        answer=f"a{number}",
        label="plausible",
        position=1,
        submitted_at=30.0 * number,
        active_seconds=seconds,
        n_words=60,
        is_counted=True,
        n_answer_words=n_answer_words,
    )


def work(worker: str, seconds: float, n_answer_words: int = 12, n: int = 20) -> list[Entry]:
    return [entry(worker, number, seconds, n_answer_words) for number in range(n)]


@pytest.mark.parametrize(
    ("n_words", "seconds"), [(0, 1.0), (3, 1.0), (700, 60.0), (70, pytest.approx(6.0))]
)
def test_reading_takes_a_second_or_700_words_a_minute(n_words, seconds):
    assert least_seconds(n_words) == seconds


@pytest.mark.parametrize(
    ("seconds", "n_answer_words", "is_under"),
    [
        (0.4, 1, True),
        (0.4, 12, True),
        (4.0, 100, True),  # 1,500 words a minute
        (1.3, 6, False),  # a short answer to a question that was read before
        (15.0, 100, False),  # 400 words a minute: the fastest who read
    ],
)
def test_an_honest_fast_reader_is_not_under_it(seconds, n_answer_words, is_under):
    assert reading_floor(work("p1", seconds, n_answer_words)).is_under is is_under


def test_it_takes_most_of_five_judgements():
    assert not reading_floor(work("p1", 0.4, n=4)).is_under
    assert not reading_floor([*work("p1", 0.4, n=10), *work("p2", 9.0, n=10)]).is_under


@pytest.mark.parametrize("others", [[], ["p0002"]])
def test_it_is_a_reason_and_comes_first_with_one_person_or_two(others):
    entries = [each for name in others for each in work(name, 14.0)]

    found = as_json(examine([*entries, *work("p0009", 0.4)], replicates=1_000, seed=0))

    first = found["people"][0]
    assert (first["annotator"], first["rank"], first["is_too_fast"]) == ("p0009", 1, True)
    assert first["reasons"] == [
        "20 of 20 judgements took less time than reading the answer takes: under 1 s, or above"
        " 700 words a minute"
    ]
    assert [each["reasons"] for each in found["people"][1:]] == [[] for _ in others]
