"""What the database holds comes back as the records that were read."""

import pytest

from corpus import digests
from corpus import queries as corpus_queries
from corpus.actions import runs
from corpus.models import Turn
from tests.corpus.imports import (
    DEMO,
    answer,
    create_dataset,
    create_demo_dataset,
    create_run,
    passage_table,
    turn,
)
from tests.corpus.reader_files import QUESTION

RUNS = ("alder", "birch", "cedar", "dogwood", "echo")


def test_a_data_set_comes_back_as_it_was_read(study):
    everyday = create_demo_dataset(study)

    back = corpus_queries.dataset_records(everyday)

    assert digests.digest(back.records) == everyday.digest
    assert len(back.turns) == 32
    assert len(back.passages) == 79


@pytest.mark.parametrize("name", RUNS)
def test_a_run_comes_back_as_it_was_read(study, name):
    everyday = create_demo_dataset(study, name)

    back = corpus_queries.run_records(everyday.runs.get(name=name))

    assert not digests.difference(runs.read(dataset=everyday, path=path_of(name)).records, back)
    assert digests.answers_digest(back) == everyday.runs.get(name=name).answers_digest


def path_of(name):
    return DEMO / "runs" / f"{name}.json"


def test_a_data_set_stays_the_same_when_runs_cite_what_it_does_not_hold(study, tmp_path):
    touch = create_dataset(
        study, tmp_path, [turn(1, "A.")], passages='{"id": "told", "text": "Told."}'
    )
    before = corpus_queries.dataset_records(touch)
    create_run(touch, tmp_path, [answer(1, "A.", Model_passages={"unheard": 1, "told": 2})])

    assert corpus_queries.dataset_records(touch) == before
    assert [each.docid for each in before.passages] == ["told"]


def test_turns_without_truth_and_passages_offered_twice_come_back(study, tmp_path):
    touch = create_dataset(
        study,
        tmp_path,
        [turn(1, "A.", passages=["p"])],
        questions=[QUESTION],
        passages=passage_table(("1_1", "p", "P."), ("1_2", "p", "P.")),
    )

    back = corpus_queries.dataset_records(touch)

    first, second = back.turns
    assert (first.truth_passages, first.reference) == (("p",), "A.")
    assert (second.question, second.reference, second.source) == ("What is it?", "", {})
    assert [(each.turn_id, each.docid) for each in back.passages] == [("1_1", "p"), ("1_2", "p")]


def test_turn_ids_are_those_of_the_files(study, tmp_path):
    touch = create_dataset(study, tmp_path, [turn(2, conversation=10), turn(1, conversation=9)])

    ids = corpus_queries.turn_ids(touch)

    assert list(ids) == ["10_2", "9_1"]
    assert Turn.objects.get(pk=ids["9_1"]).number == 1


def test_turns_of_another_version_are_not_mixed_in(study, tmp_path):
    first = create_dataset(study, tmp_path, [turn(1, "A.")])
    second = create_dataset(study, tmp_path, [turn(1, "B.")], as_new_version=True)

    assert corpus_queries.turn_ids(first) != corpus_queries.turn_ids(second)
    assert [each.reference for each in corpus_queries.dataset_records(first).turns] == ["A."]
