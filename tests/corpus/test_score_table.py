"""The scores of a large file take little memory, and come back as they were read."""

import tracemalloc

from corpus.records import ScoreRecord
from corpus.score_table import ScoreTable

RECORDS = [
    ScoreRecord("1_1", "alder", 0.5, 2),
    ScoreRecord("1_1", "birch", 0.25, 3),
    ScoreRecord("1_2", "alder", 0.75, 4),
]
N_RUNS, N_TURNS = 10, 1_000


def test_records_come_back_in_the_order_of_the_file():
    table = ScoreTable(RECORDS)

    assert len(table) == 3
    assert list(table) == RECORDS
    assert [record.index for record in table] == [2, 3, 4]


def test_runs_come_one_by_one_with_their_scores():
    assert list(ScoreTable(RECORDS).of_runs()) == [
        ("alder", [RECORDS[0], RECORDS[2]]),
        ("birch", [RECORDS[1]]),
    ]


def test_the_first_score_of_an_answer_stays():
    table = ScoreTable(RECORDS)

    known = table.add(ScoreRecord("1_1", "alder", 0.9, 5))

    assert (known.value, known.index) == (0.5, 2)
    assert list(table) == RECORDS


def test_a_score_takes_a_fraction_of_the_memory_of_its_record():
    def records():
        for turn in range(N_TURNS):
            for run in range(N_RUNS):
                row = turn * N_RUNS + run + 1_000
                yield ScoreRecord(f"{turn}_1", f"run {run}", row / 7, row)

    assert held(lambda: ScoreTable(records())) < held(lambda: list(records())) / 2


def held(make):
    tracemalloc.start()
    made = make()
    n_bytes, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(made) == N_RUNS * N_TURNS
    return n_bytes
