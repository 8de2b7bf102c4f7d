"""A comparison of runs beside answers that were drawn by a rule: neither enters what the other comes to."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions import batches
from annotation.actions.batches import BatchError
from annotation.models import Assignment, BatchState
from dashboard import progress
from exports.meta_evaluation import queries as meta_evaluation_queries
from exports.missed_answers import queries as missed_answers_queries
from exports.results.stored_figures import RunsFigures
from exports.rows.answers import answer_rows
from exports.rows.items import item_rows
from exports.rows.shown_answers import released_batches, runs_by_candidate
from sampling.comparisons.rule import ComparisonRule
from sampling.models import Purpose
from tests.annotation.desk import NOW
from tests.exports.judged_batches import close_batch, release
from tests.factories import BatchFactory, ItemFactory
from tests.parts import part
from tests.recomputed_tables import table
from tests.sampling.actions.test_audit_samples import audit
from tests.sampling.comparison_dataset import draw_comparison

SCHEME = "rating"


@part
def dataset(plausibility):
    return plausibility.pool.dataset


def compared(dataset, *, state=BatchState.CLOSED):
    """A comparison of all runs on the data set, with a batch that asked a question of it."""
    pool = draw_comparison(dataset, ComparisonRule(setup="gold"), name="side by side")
    batch = BatchFactory(pool=pool, scheme=SCHEME, name="ratings")
    ItemFactory(batch=batch, turn=pool.candidates.first().turn)
    return batch if state == BatchState.OPEN else close_batch(batch)


def results(dataset) -> tuple:
    """All that is said of the data set's answers."""
    released = list(released_batches(dataset, is_rehearsal=False))
    items = item_rows(released)
    settled = meta_evaluation_queries.settled_answers(dataset)
    return (
        [batch.name for batch in released],
        RunsFigures(dataset.study, dataset).stamp(),
        answer_rows(dataset, released, items),
        (settled.labels, settled.weights, settled.answers),
    )


def test_what_became_of_the_answers_is_the_same_with_a_comparison_beside_them(dataset):
    before = results(dataset)

    compared(dataset)

    assert results(dataset) == before


def test_a_release_takes_no_comparison_and_none_is_in_its_way(dataset, plausibility, tmp_path, bob):
    begun = compared(dataset, state=BatchState.OPEN)
    Assignment.objects.create(
        item=begun.items.get(), annotator=bob, claimed_at=NOW, expires_at=NOW + timedelta(hours=1)
    )
    out = tmp_path / "release"

    release(plausibility, out)

    assert {row["batch"] for row in table(out, "items")} == {"plausibility"}
    assert {row["sampled"] for row in table(out, "answers")} >= {"drawn", "represented"}


def test_what_an_audit_estimates_is_the_same(dataset, plausibility):
    sample = audit(plausibility.pool)
    before = missed_answers_queries.audit_strata(sample)

    compared(dataset)

    assert missed_answers_queries.audit_strata(sample) == before


def test_the_next_step_of_a_study_is_the_same_and_its_home_names_the_comparison(
    client, dataset, alice
):
    study = dataset.study
    before = progress.study_progress(study)

    batch = compared(dataset, state=BatchState.OPEN)

    after = progress.study_progress(study)
    assert (after.next_step, after.next_action) == (before.next_step, before.next_action)
    assert after.answer_pools == before.answer_pools
    assert after.comparisons == [batch.pool]
    assert [line.batch for line in after.compared] == [batch]
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    page = client.get(reverse("study", args=[study.slug])).text
    assert reverse("pool", args=[study.slug, batch.pool_id]) in page
    assert reverse("batch", args=[study.slug, batch.pk]) in page


def test_a_real_comparison_beside_a_rehearsal_leaves_the_rehearsals_next_step(
    dataset, plausibility
):
    plausibility.is_rehearsal = True
    plausibility.save(update_fields=["is_rehearsal"])
    before = progress.study_progress(dataset.study).next_action

    compared(dataset)

    assert progress.study_progress(dataset.study).next_action == before


def test_a_candidate_of_a_comparison_names_the_runs_that_gave_it(dataset):
    pool = compared(dataset).pool

    named = runs_by_candidate(pool, is_rehearsal=False)

    (said,) = pool.candidates.filter(text="A tablet to test gold.")
    assert named[said.pk] == {"alder", "cedar"}
    assert {run for runs in named.values() for run in runs} >= {"reference"}


@pytest.mark.parametrize("scheme", ["plausibility", "faithfulness"])
def test_no_batch_that_ends_in_accepted_answers_is_made_of_a_comparison(dataset, scheme):
    pool = draw_comparison(dataset, ComparisonRule(setup="gold"))

    with pytest.raises(BatchError, match="is one of comparison"):
        batches.create(
            study=dataset.study, name="wrong", scheme=scheme, pool=pool, by=dataset.created_by
        )
    assert pool.purpose == Purpose.COMPARISON


def test_the_pages_of_results_measures_and_missed_answers_show_with_a_comparison(
    dataset, plausibility, alice
):
    batch = compared(dataset)
    sample = audit(plausibility.pool)
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    slug = dataset.study.slug

    for href in (
        reverse("results_of_study", args=[slug]),
        reverse("measures", args=[slug]),
        reverse("pool_missed", args=[slug, sample.pk]),
        reverse("releases", args=[slug]),
        reverse("batches", args=[slug]),
    ):
        assert client.get(href, follow=True).status_code == 200, href
    refused = client.get(reverse("pool_missed", args=[slug, batch.pool_id]), follow=True)
    assert refused.status_code in (200, 404)
