"""What is promised of control items: they are in no figure but those of annotators.

Each figure is computed three times: with control items that people judged, without them, and with the same items in
the guise of others, which a filter that is not there would let in. The first two are equal, the third differs.
"""

import pytest

from accounts.models import Role
from annotation.actions import batches, settlement
from annotation.models import (
    Assignment,
    Batch,
    Item,
    ItemAnswer,
    Judgement,
    Key,
    Verdict,
)
from annotation.queries import batch_forecast, batch_progress, outcomes, people_at_work
from annotation.queries.annotator_progress import progress_by_batch
from annotation.queries.rule_figures import RuleFigures
from exports.agreement.stored_figures import AgreementFigures
from exports.annotators import queries as annotator_queries
from exports.planning import queries as planning
from exports.questions import queries as questions
from exports.releases import batch_report
from exports.rows import outcomes as row_outcomes
from exports.rows.earlier_answers import deciding_items
from exports.rows.items import item_rows
from exports.rows.judgements import judgement_rows
from exports.rows.rounds import rounds
from exports.rows.soft_labels import soft_labels
from stats.bootstrap_settings import Bootstrap
from tests.annotation.batches_with_controls import draft, full_pool, open_batch, settled_batch, work
from tests.annotation.desk import NOW
from tests.conftest import member
from tests.factories import CandidateFactory
from tests.parts import part


@part
def batch(study, alice, bob, dora) -> Batch:
    """Two people judged all of it, and the control items among it wrongly; the answers of these are in its pool."""
    source = settled_batch(study, [bob, dora], alice)
    made = open_batch(full_pool(study, n=12), alice, source)
    for name in ("fay", "gus"):
        person = member(study, name, Role.ANNOTATOR, by=alice)
        work(made, person)
        Judgement.objects.filter(
            assignment__annotator=person, assignment__item__n_wanted=None
        ).update(response={"plausibility": "malformed" if name == "fay" else "implausible"})
    for item in Item.objects.filter(batch=made, n_wanted=None):
        text = item.payload["answers"][0]["text"]
        candidate = CandidateFactory(pool=made.pool, turn=item.turn, text=text)
        ItemAnswer.objects.create(item=item, candidate=candidate, number=1)
    batches.close(batch=made, by=alice)
    settlement.settle(batch=made, rule="majority", by=alice)
    return Batch.objects.get(pk=made.pk)


def without_controls(batch: Batch) -> None:
    items = Item.objects.filter(batch=batch, n_wanted=None)
    for rows in (
        Judgement.objects.filter(assignment__item__in=items),
        Assignment.objects.filter(item__in=items),
        ItemAnswer.objects.filter(item__in=items),
        Key.objects.filter(item__in=items),
        items,
    ):
        rows.delete()


def in_the_guise_of_others(batch: Batch) -> None:
    Item.objects.filter(batch=batch, n_wanted=None).update(n_wanted=2, n_counted=2)


def settled_again(batch: Batch) -> object:
    settlement.settle(batch=batch, rule="majority", by=batch.created_by)
    return Verdict.objects.current().filter(item__batch=batch).count()


def reported(batch: Batch) -> object:
    figures = batch_report.batch_figures(
        batch.name,
        judgements=judgement_rows([batch]),
        items=item_rows([batch]),
        bootstrap=Bootstrap(replicates=1000, seed=1),
    )
    n = figures["n_judgements"]
    return figures["n_items"], n["counted"], figures["verdicts"], figures["agreement"]


def released(batch: Batch) -> object:
    return {key: row.item_id for key, row in deciding_items(item_rows([batch])).items()}


def forecast(batch: Batch) -> object:
    other = draft(full_pool(batch.study, n=2), batch.created_by, name="next")
    found = batch_forecast.past_outcomes(other)
    other.delete()
    return found


def counted_entries(batch: Batch) -> object:
    return sum(each.is_counted for each in annotator_queries.entries([batch]))


FIGURES = {
    "votes": outcomes.counted_votes,
    "verdicts": settled_again,
    "progress": lambda batch: batch_progress.batch_lines([batch])[0].n_items,
    "counted": lambda batch: batch_progress.batch_lines([batch])[0].n_counted,
    "agreement and report": reported,
    "basis of agreement": lambda batch: AgreementFigures(batch.study, batch).basis.counts,
    "basis of rules": lambda batch: RuleFigures(batch.study, batch).basis.counts,
    "soft labels": lambda batch: soft_labels(judgement_rows([batch]), item_rows([batch])),
    "rounds": rounds,
    "gold files": released,
    "forecast": forecast,
    "agreement of annotators": counted_entries,
    "planning": lambda batch: planning._counted(batch).count(),
    "rates": lambda batch: row_outcomes._asked([batch], batch.pool.dataset).count(),
    "sampling": lambda batch: sum(
        len(found) for found in questions._items(_turns(batch.pool)).values()
    ),
    "people at work": lambda batch: people_at_work._n_items([batch.pk]),
}


def _turns(pool: object) -> list[int]:
    return list(pool.candidates.values_list("turn", flat=True))


@pytest.mark.parametrize("name", FIGURES)
def test_control_items_count_in_no_figure(batch, name):
    figure = FIGURES[name]
    assert Judgement.objects.filter(assignment__item__key__isnull=False).exists()

    with_them = figure(batch)
    in_the_guise_of_others(batch)
    disguised = figure(batch)
    Verdict.objects.filter(item__key__isnull=False).delete()
    Item.objects.filter(batch=batch, key__isnull=False).update(n_wanted=None, n_counted=0)
    without_controls(batch)

    assert figure(batch) == with_them
    assert disguised != with_them


def test_a_control_item_has_no_verdict_and_is_paid(study, batch, alice):
    fay = study.memberships.get(user__username="fay").user
    judged = Judgement.objects.filter(assignment__annotator=fay, assignment__item__batch=batch)

    assert judged.filter(assignment__item__n_wanted=None).exists()
    assert not Verdict.objects.filter(item__batch=batch, item__n_wanted=None).exists()
    assert judged.payable().count() == judged.count()
    assert progress_by_batch([batch], fay, NOW)[batch.pk].n_done == judged.count()


def test_a_release_marks_them_in_its_tables(batch):
    controls = {str(each) for each in Item.objects.filter(batch=batch, n_wanted=None)}

    assert {row.item_id for row in item_rows([batch]) if row.is_control} == controls
    assert not any(row.is_newest for row in item_rows([batch]) if row.is_control)
    marked = {row.item_id for row in judgement_rows([batch]) if row.is_control}
    assert marked
    assert marked <= controls
