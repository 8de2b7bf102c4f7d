"""Rounds of judgements: the first of an item, and those asked for beyond these."""

from accounts.models import Role
from annotation.actions import claims, open_batches, reviews
from annotation.models import Judgement
from exports.annotators import queries as annotator_queries
from exports.rows.judgements import judgement_rows, rows_of_judgements
from tests.annotation.desk import NOW, after, submit
from tests.conftest import member
from tests.exports.judged_batches import close_batch, reject, settle_batch
from tests.factories import BatchFactory, ItemFactory
from tests.parts import part

DISPUTED = 2


@part
def people(study, alice):
    return [member(study, name, Role.ANNOTATOR, by=alice) for name in ("bob", "dora", "erin")]


@part
def batch(study):
    """Three items for two people each."""
    batch = BatchFactory(pool__dataset__study=study, judgements_per_item=2, claim_seconds=600)
    for position in (1, 2, 3):
        ItemFactory(batch=batch, position=position, n_wanted=2, n_open=2)
    return batch


def judge_all(batch, person, begin):
    batch.refresh_from_db()
    for number, each in enumerate(claims.claim(batch=batch, by=person, n=9, now=NOW)):
        label = "malformed" if begin == 100 and each.item.position == DISPUTED else "plausible"
        submit(each, label, after(begin + number))


@part
def disputed(batch, people, alice):
    """Two people disagree on the second item, and a third was asked."""
    for number, person in enumerate(people[:2]):
        judge_all(batch, person, 100 * number)
    reviews.ask_again(item=batch.items.get(position=DISPUTED), by=alice)
    judge_all(batch, people[2], 200)
    return batch


def rounds(batch):
    """Of each item, the rounds of its judgements in the order of submission."""
    position = {str(each.public_id): each.position for each in batch.items.all()}
    rows = sorted(judgement_rows([batch]), key=lambda row: row.submitted_at)
    return {
        number: [row.round for row in rows if position[row.item_id] == number]
        for number in sorted(position.values())
    }


def test_what_is_asked_of_a_disputed_item_is_a_round_of_its_own(disputed):
    assert rounds(disputed) == {1: [1, 1], 2: [1, 1, 2], 3: [1, 1]}


def test_a_few_judgements_have_the_rounds_that_they_have_among_all(disputed):
    last = Judgement.objects.order_by("-submitted_at").first()

    assert [row.round for row in rows_of_judgements(disputed, [last.pk])] == [2]


def test_what_replaces_rejected_work_is_a_first_judgement(disputed):
    reject(Judgement.objects.filter(assignment__item__position=DISPUTED).order_by("pk").first())

    assert rounds(disputed)[DISPUTED] == [None, 1, 1]


def test_what_was_asked_of_all_items_is_no_extra_judgement(disputed, people, alice):
    open_batches.raise_judgements(batch=disputed, judgements_per_item=3, by=alice)
    judge_all(disputed, people[2], 300)

    assert rounds(disputed) == {1: [1, 1, 1], 2: [1, 1, 1], 3: [1, 1, 1]}


def test_where_a_decided_item_stays_behind_the_number_before_holds_for_all(
    disputed, people, alice, carol
):
    settle_batch(close_batch(disputed))
    reviews.adjudicate(
        item=disputed.items.get(position=1), label="plausible", reason="clear", by=carol
    )
    reviews.ask_again(item=disputed.items.get(position=3), by=alice)  # reopens the batch
    disputed.refresh_from_db()
    open_batches.raise_judgements(batch=disputed, judgements_per_item=3, by=alice)
    judge_all(disputed, people[2], 300)

    assert rounds(disputed) == {1: [1, 1], 2: [1, 1, 2], 3: [1, 1, 2]}


def test_a_control_item_has_no_rounds(batch, people):
    judge_all(batch, people[0], 100)
    batch.items.filter(position=1).update(n_wanted=None, n_open=0, n_claimed=0, n_counted=0)

    assert rounds(batch) == {1: [None], 2: [1], 3: [1]}


def test_the_figures_of_annotators_know_which_judgements_are_extra(disputed):
    entries = annotator_queries.entries([disputed])

    assert sorted(each.is_extra for each in entries) == [False] * 6 + [True]
