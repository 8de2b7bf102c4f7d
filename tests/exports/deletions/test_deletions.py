"""What nothing uses can be deleted, and nothing else."""

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.permissions import NotAllowedError
from annotation.actions import batches, withdrawn_batches
from annotation.actions.batches import BatchError
from annotation.models import Batch
from audit import wording
from audit.models import Event
from corpus.actions import run_descriptions, withdrawn_runs
from corpus.models import Dataset, Run, RunKind
from exports.deletions import actions, uses
from exports.deletions.actions import DeletionError
from exports.withdrawals import actions as withdrawal_actions
from jobs.actions import jobs
from jobs.models import Job
from sampling.models import Candidate, Fate, Pool
from tests.annotation.pools import evidence_pool_of
from tests.corpus.imports import answer, create_dataset, create_run, save_dataset
from tests.exports.judged_batches import release
from tests.exports.withdrawals.test_pools import draft_on, draw_audit
from tests.factories import BatchFactory, DatasetFactory, PoolFactory, TurnFactory
from tests.sampling.scored_dataset import PASSAGES, TURNS, draw_pool

MENDED = [TURNS[0] | {"Truth_answer": "A dark slab."}, *TURNS[1:]]


@pytest.fixture
def client(alice) -> Client:
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


def delete(pool):
    actions.delete_pool(pool=pool, by=pool.created_by)


def late_run(pool, folder) -> Run:
    """A run that was imported after the pool was drawn."""
    create_run(pool.dataset, folder, [answer(1, "A late stone.")], name="late")
    return pool.dataset.runs.get(name="late")


# Pools, audit samples, comparisons


def test_a_pool_that_nothing_uses_is_deleted_with_its_candidates_and_fates(pool):
    delete(pool)

    assert not Pool.objects.filter(pk=pool.pk).exists()
    assert not Candidate.objects.filter(pool_id=pool.pk).exists()
    assert not Fate.objects.filter(pool_id=pool.pk).exists()


def test_the_history_keeps_the_name_and_the_id(pool):
    delete(pool)

    event = Event.objects.get(verb="deleted")
    assert (event.target, event.actor, event.details["id"]) == ("pool pool", "alice", pool.pk)
    assert wording.summary("deleted", event.details) == f"it had the id {pool.pk}"


def test_a_withdrawn_pool_is_deleted_with_its_withdrawals(pool):
    withdrawal_actions.withdraw_pool(pool=pool, reason="r", by=pool.created_by)
    withdrawal_actions.bring_pool_back(pool=pool, reason="r", by=pool.created_by)

    delete(pool)

    assert not Pool.objects.filter(pk=pool.pk).exists()


def test_an_audit_sample_a_pool_of_evidence_and_a_comparison_are_deleted(pool, gold):
    for each in (draw_audit(pool), evidence_pool_of(pool), gold):
        delete(each)

    assert list(pool.study.pools.all()) == [pool]


def test_a_pool_with_a_batch_is_not_deleted_even_if_that_is_withdrawn(plausibility):
    withdrawn_batches.withdraw(batch=plausibility, reason="r", by=plausibility.created_by)

    with pytest.raises(
        DeletionError, match=r"pool is in use. Batches on it: plausibility \(withdrawn\)"
    ):
        delete(plausibility.pool)


def test_a_pool_with_a_draft_is_not_deleted(pool):
    draft_on(pool)

    with pytest.raises(DeletionError, match="Batches on it: draft"):
        delete(pool)


def test_a_pool_with_an_audit_sample_or_evidence_is_not_deleted(pool):
    audit, evidence = draw_audit(pool), evidence_pool_of(pool)

    with pytest.raises(DeletionError, match=f"Pools drawn from it: {audit}, {evidence}"):
        delete(pool)


def test_an_unbuilt_pool_is_deleted_once_its_job_has_ended(pool):
    unbuilt = PoolFactory(dataset=pool.dataset, built_at=None)
    job = Job.objects.create(
        study=pool.study, kind="draw_pool", key=unbuilt.name, created_by=pool.created_by
    )
    with pytest.raises(DeletionError, match=f"The job {job.pk} builds it"):
        delete(unbuilt)

    jobs.cancel(job=job, by=pool.created_by)
    delete(unbuilt)


def test_the_database_refuses_where_somebody_begins_to_use_the_pool_in_between(pool, monkeypatch):
    batch = draft_on(pool)
    monkeypatch.setattr(uses, "of_pool", lambda pool: [])  # looked just before the draft was made

    with pytest.raises(DeletionError, match="is in use: something refers to it"):
        delete(pool)

    assert Batch.objects.get(pk=batch.pk).pool == pool
    assert pool.candidates.exists()
    assert not Event.objects.filter(verb="deleted").exists()


def test_a_batch_on_a_pool_that_was_deleted_meanwhile_is_refused(pool):
    before = Pool.objects.get(pk=pool.pk)
    delete(pool)

    with pytest.raises(BatchError, match="was deleted in this moment"):
        batches.create(
            study=before.study,
            name="late",
            scheme="plausibility",
            pool=before,
            by=before.created_by,
        )


def test_only_a_requester_deletes(pool, bob):
    with pytest.raises(NotAllowedError):
        actions.delete_pool(pool=pool, by=bob)


def test_what_was_deleted_already_is_said(pool):
    again = Pool.objects.get(pk=pool.pk)
    delete(pool)

    with pytest.raises(DeletionError, match="was deleted already"):
        delete(again)


# Runs


def test_a_run_that_nothing_was_drawn_from_is_deleted_and_its_name_is_free(pool, alice, tmp_path):
    actions.delete_run(run=late_run(pool, tmp_path), by=alice)

    assert not pool.dataset.runs.filter(name="late").exists()
    assert late_run(pool, tmp_path).n_answers == 1


def test_a_run_that_was_renamed_and_withdrawn_is_deleted_with_what_is_kept_of_that(
    pool, alice, tmp_path
):
    run = late_run(pool, tmp_path)
    run_descriptions.describe(dataset=pool.dataset, wanted={run.pk: {"name": "later"}}, by=alice)
    run = withdrawn_runs.withdraw(run=run, reason="no", by=alice)

    actions.delete_run(run=run, by=alice)

    assert not Run.everything.filter(pk=run.pk).exists()


def test_a_run_that_a_pool_was_drawn_from_is_not_deleted(pool, alice):
    with pytest.raises(DeletionError, match="Pools drawn from it: pool"):
        actions.delete_run(run=pool.dataset.runs.get(name="alder"), by=alice)


def test_a_run_in_a_release_is_not_deleted(plausibility, alice, tmp_path):
    run = late_run(plausibility.pool, tmp_path)
    release(plausibility, tmp_path / "release")

    with pytest.raises(DeletionError, match="Releases that contain it, which do not change: 1"):
        actions.delete_run(run=run, by=alice)


def test_a_run_with_scores_that_people_brought_is_not_deleted(pool, alice):
    actions.delete_pool(pool=pool, by=alice)

    with pytest.raises(DeletionError, match="Scores that were imported for its answers: 2"):
        actions.delete_run(run=pool.dataset.runs.get(name="alder"), by=alice)


def test_references_are_not_deleted(pool, alice):
    with pytest.raises(DeletionError, match="are references"):
        actions.delete_run(run=pool.dataset.runs.get(kind=RunKind.REFERENCE), by=alice)


def test_a_run_that_later_versions_took_along_is_not_deleted_and_its_copies_are_named(
    study, alice, tmp_path
):
    first = create_dataset(study, tmp_path, TURNS, passages=PASSAGES)
    create_run(first, tmp_path, [answer(1, "A stone.")], name="late")
    save_dataset(study, tmp_path, MENDED, passages=PASSAGES, as_new_version=True)
    run, copy = first.runs.get(name="late"), study.datasets.by_name("touch").runs.get(name="late")

    with pytest.raises(
        DeletionError, match="Copies in later versions, which stay: late in touch@2"
    ):
        actions.delete_run(run=run, by=alice)
    actions.delete_run(run=copy, by=alice)
    actions.delete_run(run=run, by=alice)

    assert not Run.everything.filter(name="late").exists()


def test_a_run_whose_copy_a_version_in_between_asked_about_is_not_deleted(pool, alice, tmp_path):
    study = pool.study
    late_run(pool, tmp_path)
    save_dataset(study, tmp_path, MENDED, passages=PASSAGES, as_new_version=True)
    draw_pool(study.datasets.by_name("touch"), name="again")
    save_dataset(study, tmp_path, TURNS, passages=PASSAGES, as_new_version=True)
    third = study.datasets.by_name("touch")

    with pytest.raises(DeletionError, match="Pools drawn from it: again"):
        actions.delete_run(run=third.runs.get(name="late"), by=alice)


# Versions of data sets


def test_a_version_that_another_one_continues_is_not_deleted_and_that_is_named(
    study, alice, tmp_path
):
    first = create_dataset(study, tmp_path, TURNS, passages=PASSAGES)
    save_dataset(study, tmp_path, MENDED, passages=PASSAGES, as_new_version=True)

    with pytest.raises(DeletionError, match="Versions that continue it: touch@2"):
        actions.delete_dataset(dataset=first, by=alice)
    actions.delete_dataset(dataset=study.datasets.by_name("touch"), by=alice)
    actions.delete_dataset(dataset=first, by=alice)

    assert not Dataset.everything.filter(study=study).exists()


def test_a_version_without_runs_is_deleted_with_all_that_belongs_to_it(alice, study, tmp_path):
    dataset = create_dataset(study, tmp_path, TURNS, passages=PASSAGES)

    actions.delete_dataset(dataset=dataset, by=alice)

    assert not Dataset.everything.filter(pk=dataset.pk).exists()
    assert not Run.everything.filter(dataset_id=dataset.pk).exists()
    if connection.vendor == "sqlite":
        connection.check_constraints()


def test_a_version_with_runs_is_not_deleted(pool, alice):
    with pytest.raises(DeletionError, match="Runs: alder, birch"):
        actions.delete_dataset(dataset=pool.dataset, by=alice)


def test_a_version_that_a_job_works_on_is_not_deleted(study, alice):
    dataset = DatasetFactory(study=study)
    TurnFactory(conversation__dataset=dataset)
    job = Job.objects.create(
        study=study, kind="import_run", key="x", params={"dataset": dataset.pk}, created_by=alice
    )

    with pytest.raises(DeletionError, match=f"The job {job.pk} "):
        actions.delete_dataset(dataset=dataset, by=alice)


# Pages


def test_the_page_asks_once_and_names_the_thing(pool, client):
    where = [pool.study.slug, pool.pk]

    page = client.get(reverse("pool_delete", args=where)).content.decode()
    assert "Delete “pool”?" in page
    assert Pool.objects.filter(pk=pool.pk).exists()

    after = client.post(reverse("pool_delete", args=where), follow=True).content.decode()
    assert "“pool” is deleted." in after
    assert client.get(reverse("pool", args=where)).status_code == 404


def test_the_page_names_what_uses_the_thing_instead(plausibility, client):
    where = [plausibility.study.slug, plausibility.pool_id]

    page = client.post(reverse("pool_delete", args=where), follow=True).content.decode()

    assert "“pool” is in use and was not deleted. Batches on it: plausibility." in page
    assert Pool.objects.filter(pk=plausibility.pool_id).exists()


def test_only_what_nothing_uses_offers_to_be_deleted(pool, client, tmp_path):
    slug = pool.study.slug
    used, late = pool.dataset.runs.get(name="alder"), late_run(pool, tmp_path)

    def offers(kind, thing, page):
        return reverse(f"{kind}_delete", args=[slug, thing.pk]) in client.get(page).content.decode()

    assert offers("run", late, reverse("run", args=[slug, late.pk]))
    assert not offers("run", used, reverse("run", args=[slug, used.pk]))
    assert offers("pool", pool, reverse("pool", args=[slug, pool.pk]))
    BatchFactory(pool=pool)
    assert not offers("pool", pool, reverse("pool", args=[slug, pool.pk]))
    dataset = pool.dataset
    own = reverse("dataset", args=[slug, dataset.name, dataset.version])
    assert not offers("dataset", dataset, own)
