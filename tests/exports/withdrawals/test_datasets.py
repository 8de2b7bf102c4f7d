"""A withdrawn version of a data set is used for nothing new; what was judged on it stays."""

import pytest
from django.urls import reverse

from accounts.actions.withdrawals import WithdrawalError
from annotation.actions import batches
from annotation.actions.batches import BatchError
from corpus.actions.datasets import ChangedError
from corpus.models import Dataset, DatasetWithdrawal
from dashboard.progress import study_progress
from exports.releases.forms import NewRelease
from exports.results.stored_figures import RunsFigures
from exports.withdrawals import actions
from exports.writers.errors import ReleaseError
from jobs.actions.jobs import JobStateError
from sampling.actions.pools import PoolError
from scoring.actions import score_jobs
from scoring.forms import ScoreForm
from tests.annotation.pools import launched
from tests.corpus.imports import answer, create_run, save_dataset
from tests.exports.judged_batches import release
from tests.factories import DatasetFactory, RunFactory
from tests.sampling.scored_dataset import PASSAGES, TURNS, draw_pool


def withdraw(dataset):
    return actions.withdraw_dataset(
        dataset=dataset, reason="wrong references", by=dataset.created_by
    )


def bring_back(dataset):
    return actions.bring_dataset_back(dataset=dataset, reason="r", by=dataset.created_by)


def second_version(dataset):
    return DatasetFactory(study=dataset.study, name=dataset.name, version=dataset.version + 1)


def test_a_name_without_a_version_means_the_newest_that_is_not_withdrawn(pool):
    first, second = pool.dataset, second_version(pool.dataset)
    by_name = first.study.datasets.by_name
    assert by_name(first.name) == second

    withdraw(second)

    assert by_name(first.name) == first
    assert by_name(f"{first.name}@2") == second
    withdraw(first)
    assert by_name(first.name) == second


def test_every_withdrawal_and_return_is_kept_with_its_reason(pool):
    withdraw(pool.dataset)
    bring_back(pool.dataset)

    rows = DatasetWithdrawal.objects.filter(dataset=pool.dataset)
    assert [(row.is_withdrawn, row.reason) for row in rows] == [
        (True, "wrong references"),
        (False, "r"),
    ]


def test_no_run_is_imported_into_a_withdrawn_version(pool, tmp_path):
    dataset = withdraw(pool.dataset)

    with pytest.raises(ChangedError, match="is withdrawn: bring it back first"):
        create_run(dataset, tmp_path, [answer(1, "A stone.")], name="late")
    assert not dataset.runs.filter(name="late").exists()


def test_a_withdrawn_version_is_not_scored(pool, alice):
    dataset = withdraw(pool.dataset)

    with pytest.raises(JobStateError, match="is withdrawn"):
        score_jobs.score(dataset=dataset, metrics=["f1"], model="", by=alice)
    offered = ScoreForm(study=dataset.study).fields["dataset"].queryset
    assert dataset not in offered


def test_no_pool_is_drawn_from_a_withdrawn_version(pool):
    dataset = withdraw(pool.dataset)

    with pytest.raises(PoolError, match="is withdrawn"):
        draw_pool(dataset, name="late")


def test_a_draw_that_began_before_the_version_was_withdrawn_is_refused_too(pool):
    before = pool.dataset
    actions.withdraw_dataset(
        dataset=type(before).objects.get(pk=before.pk), reason="r", by=before.created_by
    )
    assert not before.is_withdrawn  # as it was read

    with pytest.raises(PoolError, match="is withdrawn"):
        draw_pool(before, name="late")


def test_no_batch_is_made_of_a_pool_of_a_withdrawn_version(pool):
    withdraw(pool.dataset)

    with pytest.raises(BatchError, match=r"the data set .+ is withdrawn: bring it back first"):
        launched(pool)


def test_no_release_is_made_of_a_withdrawn_version(plausibility, tmp_path):
    dataset = withdraw(plausibility.pool.dataset)
    plausibility.pool.dataset = dataset

    with pytest.raises(ReleaseError, match="is withdrawn"):
        release(plausibility, tmp_path / "refused")
    assert dataset not in NewRelease(dataset.study).fields["dataset"].queryset


def test_what_was_judged_stays_and_counts_in_the_results_of_the_version(plausibility, study):
    dataset = withdraw(plausibility.pool.dataset)

    assert RunsFigures(study, dataset).batches == [plausibility]


def test_a_version_that_people_are_asked_about_is_not_withdrawn_and_names_the_batches(pool):
    batch = launched(pool)
    batches.create(
        study=pool.study, name="draft", scheme="plausibility", pool=pool, by=pool.created_by
    )

    with pytest.raises(
        WithdrawalError,
        match="discard the draft “draft” and close or withdraw the batch “plausibility” first",
    ):
        withdraw(pool.dataset)
    assert batch.state == "open"


def test_a_closed_batch_of_a_withdrawn_version_is_not_opened_again(plausibility):
    withdraw(plausibility.pool.dataset)

    with pytest.raises(BatchError, match="is withdrawn"):
        batches.reopen(batch=plausibility, by=plausibility.created_by)


def test_importing_the_content_of_a_withdrawn_version_says_that_it_is_withdrawn(pool, tmp_path):
    withdraw(pool.dataset)
    result = save_dataset(pool.study, tmp_path, TURNS, name=pool.dataset.name, passages=PASSAGES)

    assert not result.created
    assert f"the data set {pool.dataset} is withdrawn: bring it back first" in result.warnings


def test_the_progress_of_the_study_asks_for_a_data_set_where_all_are_withdrawn(pool):
    withdraw(pool.dataset)

    assert study_progress(pool.study).next_step == "data"


# Pages


def test_a_version_is_withdrawn_and_brought_back_by_its_pages(pool, client):
    dataset = pool.dataset
    slug = dataset.study.slug
    own = reverse("dataset", args=[slug, dataset.name, dataset.version])

    asked = client.get(reverse("dataset_withdraw", args=[slug, dataset.pk])).content.decode()
    assert f"Pools: {pool}." in asked
    assert "Runs: alder, birch, cedar, dogwood, echo, fir." in asked
    client.post(reverse("dataset_withdraw", args=[slug, dataset.pk]), {"reason": "wrong"})
    page = client.get(own).content.decode()
    assert "Withdrawn by <bdi>alice</bdi> on " in page
    assert reverse("run_import", args=[slug]) not in page.split("<main")[1]
    listed = client.get(reverse("datasets", args=[slug])).content.decode()
    assert '<span class="tag warn">withdrawn</span>' in listed

    client.post(reverse("dataset_bring_back", args=[slug, dataset.pk]), {"reason": "r"})
    assert "Withdrawn by" not in client.get(own).content.decode()


def test_results_show_a_withdrawn_version_after_all_others(plausibility, client):
    first, second = plausibility.pool.dataset, second_version(plausibility.pool.dataset)
    RunFactory(dataset=second)
    Dataset.objects.filter(pk=second.pk).update(continues=first)
    page = reverse("results_of_study", args=[first.study.slug])
    assert client.get(page).url.endswith(f"/{second.pk}/")

    withdraw(second)

    assert client.get(page).url.endswith(f"/{first.pk}/")
    shown = client.get(page, follow=True).content.decode()
    assert f"{second} (withdrawn)</option>" in shown


def test_the_version_that_is_used_instead_is_named(pool, client):
    first, second = pool.dataset, second_version(pool.dataset)
    withdraw(second)

    page = client.get(reverse("dataset", args=[first.study.slug, second.name, second.version]))

    assert "Used instead" in page.content.decode()
