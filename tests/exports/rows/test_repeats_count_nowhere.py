"""What is promised of repeats: they are in no figure but those of annotators, as control items are.

Each figure is computed three times: with repeats that people judged otherwise than the originals, with the same items
in the guise of others, which a filter that is not there would let in, and without them. The first and the last are
equal, the second differs.
"""

import pytest

from accounts.models import Role
from annotation.actions import batches, repeats, settlement
from annotation.models import Assignment, Batch, Item, ItemAnswer, Judgement, Verdict
from annotation.queries.annotator_progress import progress_by_batch
from exports.rows.items import item_rows
from exports.rows.judgements import judgement_rows
from tests.annotation.batches_with_controls import full_pool, open_batch, work
from tests.annotation.desk import NOW, after, submit
from tests.conftest import member
from tests.exports.rows.test_controls_count_nowhere import FIGURES, without_controls
from tests.factories import CandidateFactory
from tests.parts import part


@part
def batch(study, alice) -> Batch:
    """Two people judged all of it, and half of it once more, otherwise; what it shows then is in its pool."""
    made = open_batch(full_pool(study, n=12), alice, None, control_every=None, repeat_every=3)
    items = list(Item.objects.filter(batch=made).order_by("position"))
    again = repeats.repeats_of([each.pk for each in items[:6]], items[0])
    for name, label in (("fay", "malformed"), ("gus", "implausible")):
        person = member(study, name, Role.ANNOTATOR, by=alice)
        work(made, person)
        for each in again.values():
            assignment = Assignment.objects.create(
                item=each, annotator=person, claimed_at=NOW, expires_at=after(600)
            )
            submit(assignment, label, now=after(300))
    for item in again.values():
        text = f"{item.payload['answers'][0]['text']} Once more."
        candidate = CandidateFactory(pool=made.pool, turn=item.turn, text=text)
        ItemAnswer.objects.create(item=item, candidate=candidate, number=1)
    batches.close(batch=made, by=alice)
    settlement.settle(batch=made, rule="majority", by=alice)
    return Batch.objects.get(pk=made.pk)


@pytest.mark.parametrize("name", FIGURES)
def test_repeats_count_in_no_figure(batch, name):
    figure = FIGURES[name]
    originals = dict(Item.objects.filter(batch=batch, n_wanted=None).values_list("pk", "repeats"))
    assert Judgement.objects.filter(assignment__item__in=originals).count() == 12

    with_them = figure(batch)
    Item.objects.filter(pk__in=originals).update(repeats=None, n_wanted=2, n_counted=2)
    disguised = figure(batch)
    Verdict.objects.filter(item__in=originals).delete()
    for pk, original in originals.items():
        Item.objects.filter(pk=pk).update(repeats=original, n_wanted=None, n_counted=0)
    without_controls(batch)

    assert figure(batch) == with_them
    assert disguised != with_them


def test_a_repeat_has_no_verdict_is_paid_and_done(study, batch):
    fay = study.memberships.get(user__username="fay").user
    judged = Judgement.objects.filter(assignment__annotator=fay, assignment__item__batch=batch)

    assert judged.filter(assignment__item__repeats__isnull=False).count() == 6
    assert not Verdict.objects.filter(item__batch=batch, item__n_wanted=None).exists()
    assert judged.payable().count() == judged.count() == 18
    assert progress_by_batch([batch], fay, NOW)[batch.pk].n_done == 12


def test_a_release_marks_them_as_it_does_control_items(batch):
    again = {str(each): each for each in Item.objects.filter(batch=batch, n_wanted=None)}

    assert {row.item_id for row in item_rows([batch]) if row.is_control} == again.keys()
    assert not any(row.is_newest for row in item_rows([batch]) if row.is_control)
    marked = [row for row in judgement_rows([batch]) if row.is_control]
    assert {row.item_id for row in marked} == again.keys()
    # With what docs/columns.md says, self-agreement can be computed from judgements.csv.
    first = {
        (row.annotator, row.payload_sha256): row.label
        for row in judgement_rows([batch])
        if not row.is_control
    }
    assert all((row.annotator, row.payload_sha256) in first for row in marked)
