"""What is promised of training batches: they are in no verdict, agreement, rate, forecast, gold file or release.

Each figure is computed three times: with a training that people judged, with the same batch in the guise of work, which
a filter that is not there would let in, and without it. The first and the last are equal, the second differs.
"""

import pytest

from annotation.actions import batches, settlement
from annotation.models import Assignment, Batch, Item, ItemAnswer, Judgement, Key, Verdict
from annotation.queries import batch_forecast, control_sources, repeated_answers
from dashboard.progress import study_progress
from exports.annotators import queries as annotator_queries
from exports.current_figures import queries as current_figures
from exports.planning import queries as planning
from exports.releases.choice import Choice
from exports.results import queries as results
from exports.rows.items import item_rows
from exports.rows.shown_answers import releasable_batches
from sampling.queries import standing_pools
from tests.annotation.batches_with_controls import draft, full_pool
from tests.annotation.trainings import train, training_batch
from tests.factories import CandidateFactory, DatasetFactory
from tests.parts import part


@part
def batch(study, alice, bob, dora) -> Batch:
    """A closed training that two people judged; its answers stand in its pool, as those of work do."""
    made = training_batch(study, "pipi")
    for person in (bob, dora):
        train(made, person, "rrrr")
    for item in made.items.all():
        text = item.payload["answers"][0]["text"]
        candidate = CandidateFactory(pool=made.pool, turn=item.turn, text=text)
        ItemAnswer.objects.create(item=item, candidate=candidate, number=1)
    return batches.close(batch=made, by=alice)


def in_the_guise_of_work(batch: Batch) -> None:
    Batch.objects.filter(pk=batch.pk).update(purpose="work")
    batch.items.update(n_wanted=2, n_counted=2)
    settlement.settle(
        batch=Batch.objects.get(pk=batch.pk), rule="majority", by=batch.study.created_by
    )


def without_it(batch: Batch) -> None:
    items = batch.items.values("pk")
    for rows in (
        Verdict.objects.filter(item__in=items),
        Judgement.objects.filter(assignment__item__in=items),
        Assignment.objects.filter(item__in=items),
        ItemAnswer.objects.filter(item__in=items),
        Key.objects.filter(item__in=items),
        Item.objects.filter(batch=batch),
    ):
        rows.delete()
    batch.cursors.all().delete()
    batch.delete()


def forecast(batch: Batch) -> object:
    other = draft(full_pool(batch.study, n=2), batch.study.created_by, name="next")
    found = batch_forecast.past_outcomes(other), len(control_sources.source_batches(other))
    other.delete()
    return found


def decided_before(batch: Batch) -> object:
    other = draft(batch.pool, batch.study.created_by, name="next")
    found = repeated_answers.repeated(other).decided
    other.delete()
    return found


def of_next_version(batch: Batch) -> object:
    dataset = batch.pool.dataset
    following = DatasetFactory(study=batch.study, name="next", continues=dataset)
    found = list(standing_pools(following))
    following.delete()
    return found


FIGURES = {
    "release": lambda batch: (
        list(releasable_batches(batch.pool.dataset, is_rehearsal=False)),
        list(Choice(batch.pool.dataset, False).offered()),
    ),
    "gold files": lambda batch: item_rows(
        list(releasable_batches(batch.pool.dataset, is_rehearsal=False))
    ),
    "results": lambda batch: (
        results.newest_judged(batch.study, [DatasetFactory.build(pk=0), batch.pool.dataset]).pk
    ),
    "forecast and sources of control items": forecast,
    "decided before": decided_before,
    "annotators": lambda batch: list(annotator_queries.real_batches(batch.study)),
    "planning": lambda batch: list(planning.pilots(batch.study)),
    "figures of closed batches": lambda batch: len(
        list(current_figures._figures_on_closed_batches(batch.study))
    ),
    "progress of the study": lambda batch: len(study_progress(batch.study).batches),
    "the next version": of_next_version,
}


@pytest.mark.parametrize("name", FIGURES)
def test_training_counts_in_no_figure(batch, name):
    figure = FIGURES[name]

    with_it = figure(batch)
    in_the_guise_of_work(batch)
    disguised = figure(batch)
    without_it(batch)

    assert figure(batch) == with_it
    assert disguised != with_it


def test_no_verdict_and_no_place_comes_of_it(batch):
    assert not Verdict.objects.exists()
    assert not Item.objects.real().exists()
