"""The study that the load is put on is one that Touchstone itself could have made."""

import uuid

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotation.actions import claims
from annotation.models import Assignment, AssignmentState, Batch, Item, Judgement
from annotation.schemes import payloads
from bench.load import counted, study
from bench.load.texts import Texts, turns
from corpus.models import Turn
from sampling.models import Candidate
from tests.factories import ItemFactory

pytestmark = pytest.mark.database  # the rows are written otherwise on PostgreSQL

N_ITEMS = 60
EMPTY = {
    "source",
    "truth_passages",
    "came_from",
    "repeats",
    "rewrites",
    "source_id",
    "score",
}  # what may be empty, and a form would ask for


@pytest.fixture
def made(db) -> study.StudyAccess:
    return study.make(n_items=N_ITEMS, n_batches=2, n_annotators=3, seed=5)


def test_every_row_passes_its_models_own_checks(made):
    for model in (Turn, Candidate, Batch, Item):
        for row in model.objects.all():
            row.full_clean(exclude=EMPTY)

    assert [batch.items.count() for batch in Batch.objects.all()] == [N_ITEMS, N_ITEMS]


def test_items_stand_in_the_order_of_a_batch_grouped_by_question(made):
    items = list(Item.objects.filter(batch=made.batches[0]).order_by("position"))

    turns_in_order = list(dict.fromkeys(item.turn_id for item in items))
    assert [item.position for item in items] == list(range(1, N_ITEMS + 1))
    assert [item.turn_id for item in items] == sorted(
        (item.turn_id for item in items), key=turns_in_order.index
    )
    assert turns_in_order != sorted(turns_in_order)


def test_a_screen_shows_its_turn_and_its_candidate(made):
    for item in Item.objects.select_related("turn").prefetch_related("answers__candidate"):
        (answer,) = item.answers.all()
        earlier = item.turn.conversation.turns.filter(number__lt=item.turn.number)

        assert item.payload == payloads.payload(
            question=item.turn.question,
            context=list(earlier.values_list("question", flat=True)),
            answers=[answer.candidate.text],
            evidence=None,
        )
        assert item.payload_sha256 == payloads.sha256(item.payload)
        assert answer.candidate.text_sha256 == payloads.text_sha256(answer.candidate.text)
        assert (item.n_wanted, item.n_open) == (2, 2)


def test_rows_that_come_later_get_keys_of_their_own(made):
    later = ItemFactory(batch_id=made.batches[0], position=N_ITEMS + 1)

    assert later.pk == Item.objects.latest("pk").pk


def test_an_annotator_is_signed_in_and_has_an_item_before_them(made):
    client = Client()
    client.cookies[made.session_cookie] = made.sessions[2]

    page = client.get(reverse("desk", args=[made.slug, made.batches[1]]))

    assert page.status_code == 200
    assert Assignment.objects.get().item.batch_id == made.batches[1]


def test_the_same_seed_gives_the_same_texts():
    said = [list(turns(Texts(seed), 200)) for seed in (1, 1, 2)]

    assert said[0] == said[1] != said[2]
    assert sum(len(answers) for _, each in said[0] for answers in each) == 200


# What is counted afterwards


def rows(sql: str) -> list[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall()


def hand_out(item: Item, annotator: User, state: str = AssignmentState.CLAIMED) -> Assignment:
    """As no action does it: no place of the item is taken for it."""
    is_submitted = state == AssignmentState.SUBMITTED
    return Assignment.objects.create(
        item=item,
        annotator=annotator,
        state=state,
        claimed_at=timezone.now(),
        expires_at=timezone.now(),
        submitted_at=timezone.now() if is_submitted else None,
    )


def judge(item: Item, annotator: User, **said: bool) -> Judgement:
    return Judgement.objects.create(
        assignment=hand_out(item, annotator, AssignmentState.SUBMITTED),
        number=1,
        client_id=uuid.uuid4().hex,
        response={"plausibility": "malformed"},
        shown_at=timezone.now(),
        submitted_at=timezone.now(),
        active_seconds=1,
        **said,
    )


def person(name: str) -> User:
    return User.objects.get(username=name)


@pytest.fixture
def judged(made) -> Item:
    """An item that has the two judgements that were asked for."""
    item = Item.objects.filter(batch=made.batches[0]).first()
    for name in ("annotator-1", "annotator-2"):
        judge(item, person(name))
    return item


def test_an_item_that_was_judged_as_often_as_asked_is_done(judged):
    found = counted.items(rows, judged.batch_id)

    assert found == counted.Items(
        n_too_often=0, n_overassigned=0, n_miscounted=1, n_unjudged=N_ITEMS - 1
    )


def test_an_item_that_was_judged_too_often_is_found(judged):
    judge(judged, person("annotator-3"))

    found = counted.items(rows, judged.batch_id)

    assert (found.n_too_often, found.n_overassigned) == (1, 1)


def test_surplus_work_is_not_too_much(judged):
    judge(judged, person("annotator-3"), is_surplus=True)

    found = counted.items(rows, judged.batch_id)

    assert (found.n_too_often, found.n_overassigned) == (0, 0)


def test_an_item_that_is_held_by_one_too_many_is_found(judged):
    hand_out(judged, person("annotator-3"))

    found = counted.items(rows, judged.batch_id)

    assert (found.n_too_often, found.n_overassigned) == (0, 1)


def test_claims_that_hold_a_place_each_are_not_too_many(made):
    batch = Batch.objects.get(pk=made.batches[0])
    for annotator in User.objects.filter(username__startswith="annotator-"):
        claims.claim(batch=batch, by=annotator, n=5)

    found = counted.items(rows, batch.pk)

    assert found == counted.Items(0, 0, 0, n_unjudged=N_ITEMS)


def test_judgements_are_read_as_they_were_said(made):
    item = Item.objects.filter(batch=made.batches[0]).first()
    first = judge(item, person("annotator-1"))
    second = judge(item, person("annotator-2"))

    (found,) = counted.judgements(rows, made.batches[0], after=first.pk)

    assert found == (second.client_id, second.assignment.public_id.hex, "malformed")
    assert counted.last_judgement(rows) == second.pk
