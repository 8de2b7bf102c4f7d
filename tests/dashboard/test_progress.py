"""How far a study has come: what is counted, and which step is named as the next."""

import re

import pytest
from django.urls import reverse

from annotation.actions import batches, settlement
from annotation.models import BatchState
from dashboard import progress
from jobs.actions import jobs
from jobs.models import Job, JobState
from sampling.models import Purpose
from scoring.models import ImportedScore, Score, Scorer
from tests.annotation.desk import judge
from tests.factories import (
    AnswerFactory,
    BatchFactory,
    DatasetFactory,
    ItemFactory,
    PoolFactory,
    RunFactory,
    TurnFactory,
)
from tests.jobs.clients import client_of


@pytest.fixture
def dataset(study):
    dataset = DatasetFactory(study=study)
    TurnFactory(conversation__dataset=dataset)
    return dataset


def test_an_empty_study_begins_with_its_data(study):
    way = progress.study_progress(study)

    assert way.next_step == "data"
    assert (way.n_datasets, way.n_runs, way.batches, way.pools) == (0, 0, [], [])


def test_each_thing_that_is_there_leads_to_the_next(study, dataset):
    assert progress.study_progress(study).next_step == "runs"

    run = RunFactory(dataset=dataset)
    AnswerFactory(run=run, turn=dataset.conversations.get().turns.get())
    assert progress.study_progress(study).next_step == "scores"


@pytest.mark.parametrize(("metric", "step"), [("f1", "scores"), ("sas", "pool")])
def test_only_scores_that_pools_are_drawn_by_lead_to_one(study, dataset, alice, metric, step):
    run = RunFactory(dataset=dataset)
    said = AnswerFactory(run=run, turn=dataset.conversations.get().turns.get())
    scorer = Scorer.objects.create(study=study, metric=metric, name="elsewhere", version="imported")
    ImportedScore.objects.create(scorer=scorer, answer=said, value=0.5)

    assert progress.study_progress(study).next_step == step


@pytest.mark.parametrize(("metric", "step"), [("f1", "scores"), ("sas", "pool")])
def test_scoring_leads_to_a_pool_where_it_was_by_similarity(study, dataset, alice, metric, step):
    """Also where the answers of another study have a similarity."""
    RunFactory(dataset=dataset)
    scorer = Scorer.objects.create(metric="sas", name="a model", version="1")
    Score.objects.create(
        scorer=scorer, references_sha256="0" * 64, prediction_sha256="1" * 64, value=0.5
    )
    job = jobs.start(study=study, kind="score", key=metric, params={"metric": metric}, by=alice)
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE, finished_at=job.created_at)

    assert progress.study_progress(study).next_step == step


def test_after_the_pool_comes_a_batch_until_it_is_settled(study, alice, bob, dora, monkeypatch):
    monkeypatch.setattr(progress, "_is_scored", lambda study: True)
    batch = BatchFactory(pool__dataset__study=study)
    item = ItemFactory(batch=batch)
    RunFactory(dataset=batch.pool.dataset)
    assert progress.study_progress(study).next_step == "acceptance"

    judge(batch, bob)
    judge(batch, dora)
    (line,) = progress.study_progress(study).acceptance
    assert (line.n_items, line.n_wanted, line.n_counted) == (1, item.n_wanted, 2)
    assert not line.is_settled

    batches.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="unanimous", by=alice)
    way = progress.study_progress(study)
    assert way.acceptance[0].is_settled
    assert way.next_step == "evidence"


def test_disputes_are_counted(study, alice, bob, dora):
    batch = BatchFactory(pool__dataset__study=study)
    ItemFactory(batch=batch)
    judge(batch, bob, "plausible")
    judge(batch, dora, "malformed")
    batches.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="unanimous", by=alice)

    assert progress.study_progress(study).acceptance[0].n_disputed == 1


def test_a_batch_that_was_closed_and_not_settled_is_not_done(study):
    batch = BatchFactory(pool__dataset__study=study, state=BatchState.OPEN)
    ItemFactory(batch=batch)

    assert not progress.study_progress(study).acceptance[0].is_settled


def test_pools_of_answers_and_of_evidence_are_told_apart(study, dataset):
    PoolFactory(dataset=dataset, purpose=Purpose.ANSWERS)
    PoolFactory(dataset=dataset, purpose=Purpose.EVIDENCE)

    way = progress.study_progress(study)

    assert len(way.answer_pools) == len(way.evidence_pools) == 1


def headings(study) -> list[str]:
    page = client_of(study.created_by).get(reverse("study", args=[study.slug]))
    return re.findall(r"<h2>(.*?)</h2>", page.text.split("<main")[1])


def test_where_people_only_write_and_curate_the_steps_need_no_runs_and_lead_to_no_release(
    study, dataset
):
    pool = PoolFactory(dataset=dataset, purpose=Purpose.WRITING)
    PoolFactory(dataset=dataset, purpose=Purpose.CURATION)
    batch = BatchFactory(pool=pool, scheme="writing")

    way = progress.study_progress(study)

    assert [line.batch for line in way.written] == [batch]
    assert (way.curated, way.next_step) == ([], "done")
    assert headings(study) == ["Data set", "Written answers", "Curated questions", "People"]


def test_what_people_write_stands_after_the_steps_to_a_release(study, dataset):
    PoolFactory(dataset=dataset, purpose=Purpose.ANSWERS)
    PoolFactory(dataset=dataset, purpose=Purpose.WRITING)

    assert headings(study)[-3:] == ["Release", "Written answers", "People"]


def test_another_studys_things_are_not_counted(study):
    BatchFactory()

    way = progress.study_progress(study)

    assert (way.n_datasets, way.batches, way.pools) == (0, [], [])


def test_the_number_of_queries_does_not_grow_with_the_study(study, django_assert_num_queries):
    # One of them asks whether an item may lack people: where none does, it saves two others. As no batch is settled,
    # nothing is asked about accepted answers.
    def grow():
        batch = BatchFactory(pool__dataset__study=study)
        for position in (1, 2, 3):
            ItemFactory(batch=batch, position=position)

    grow()
    with django_assert_num_queries(21):
        progress.study_progress(study)
    grow()
    with django_assert_num_queries(21):
        progress.study_progress(study)


def test_while_disputes_wait_what_was_decided_leads_on_to_the_evidence(
    study, alice, bob, dora, monkeypatch
):
    batch = BatchFactory(pool__dataset__study=study)
    for label in ("plausible", "malformed"):
        ItemFactory(batch=batch)
        judge(batch, bob, "plausible")
        judge(batch, dora, label)
    batches.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="unanimous", by=alice)
    RunFactory(dataset=batch.pool.dataset)
    monkeypatch.setattr(progress, "_is_scored", lambda study: True)
    way = progress.study_progress(study)
    page = client_of(alice).get(reverse("study", args=[study.slug])).text

    assert (way.next_action.page, way.evidence_meanwhile.page) == ("disputes", "evidence_new")
    assert "Annotators compare the plausible answers with evidence" in page
    assert "Settle a plausibility batch first" not in page


def test_another_batch_begins_with_a_pool_of_its_step_that_has_something_to_ask_about(
    study, alice, dataset
):
    first = PoolFactory(dataset=dataset, purpose=Purpose.ANSWERS)
    PoolFactory(dataset=dataset, purpose=Purpose.ANSWERS, counts={"n_candidates": 0})
    PoolFactory(dataset=dataset, purpose=Purpose.ANSWERS, built_at=None)
    PoolFactory(dataset=dataset, purpose=Purpose.EVIDENCE)
    BatchFactory(pool=first)

    page = client_of(alice).get(reverse("study", args=[study.slug])).text

    assert f"{reverse('batch_new', args=[study.slug])}?pool={first.pk}" in page
