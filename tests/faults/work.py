"""Work for annotators, in an empty database (process.py)."""

import tempfile
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import transaction
from django.urls import reverse

from accounts.actions import members, studies
from accounts.models import Role, Study, User
from annotation import schemes
from annotation.actions.controls import FIRST_POSITION
from annotation.models import Batch, GuidelineReading, Item, ItemAnswer, Key
from annotation.schemes import payloads
from corpus.models import Conversation, Turn
from pages.database import schema_flaw
from sampling.models import Candidate
from tests.annotation.desk_pages import client_of
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.factories import (
    BatchFactory,
    CandidateFactory,
    ConversationFactory,
    ItemFactory,
    TurnFactory,
    UserFactory,
)
from tests.faults.fault_installation import CONTROL
from tests.scoring.score_jobs import score_job


def create_work(
    *,
    n_items: int,
    n_people: int,
    judgements_per_item: int = 3,
    claim_seconds: int = 1800,
    n_scored: int = 0,
    n_controls: int = 0,
) -> dict[str, object]:
    """An open batch and its people; with `n_scored` a job too that scores so many answers, a chunk each; with
    `n_controls` every fourth item is a control item, while there are some.
    """
    if schema_flaw():  # a look costs less than a migration that finds nothing to do
        call_command("migrate", verbosity=0)
    with transaction.atomic():
        alice = UserFactory(username="alice")
        study = studies.create_study(slug="stones", title="Stones", requester=alice)
        batch = BatchFactory(
            pool__dataset__study=study,
            judgements_per_item=judgements_per_item,
            claim_seconds=claim_seconds,
            control_every=4 if n_controls else None,
        )
        create_items(batch, n_items, one_question=not n_controls)
        create_controls(batch, n_controls)
        annotators = []
        for n in range(1, n_people + 1):
            user = UserFactory(username=f"annotator-{n}")
            members.add(study=study, user=user, roles=[Role.ANNOTATOR], by=alice)
            GuidelineReading.objects.create(guideline=batch.guideline, read_by=user)
            session = client_of(user).cookies[settings.SESSION_COOKIE_NAME].value
            annotators.append((user.username, session))
    if n_scored:
        start_scoring(study, n_scored)
    return {
        "desk": reverse("desk", args=[study.slug, batch.pk]),
        "session_cookie": settings.SESSION_COOKIE_NAME,
        "people": annotators,
        "requester": client_of(alice).cookies[settings.SESSION_COOKIE_NAME].value,
        "scheme": batch.scheme,
        "labels": list(schemes.get(batch.scheme).labels),
        "depth": batch.prefetch_depth,
        "n_judgements": n_items * judgements_per_item,
    }


def create_items(batch: Batch, n: int, *, one_question: bool) -> None:
    """Add items with one answer each. They are as ItemFactory makes them, in few statements.

    Where items of one question come in a row, no control item stands among them.
    """
    dataset = batch.pool.dataset
    if one_question:
        turns = [TurnFactory(conversation__dataset=dataset)] * n
    else:
        conversations = Conversation.objects.bulk_create(
            ConversationFactory.build(dataset=dataset) for _ in range(n)
        )
        turns = Turn.objects.bulk_create(
            TurnFactory.build(conversation=each) for each in conversations
        )
    texts = [f"Mason number {number}." for number in range(n)]
    payload_of = [
        payloads.payload(
            question="Who built the lighthouse?", context=[], answers=[text], evidence=None
        )
        for text in texts
    ]
    items = Item.objects.bulk_create(
        Item(
            batch=batch,
            turn=turn,
            position=position,
            payload=payload,
            payload_sha256=payloads.sha256(payload),
            n_wanted=batch.judgements_per_item,
            n_open=batch.judgements_per_item,
        )
        for position, (turn, payload) in enumerate(zip(turns, payload_of, strict=True), start=1)
    )
    candidates = Candidate.objects.bulk_create(
        CandidateFactory.build(pool=batch.pool, turn=turn, text=text)
        for turn, text in zip(turns, texts, strict=True)
    )
    ItemAnswer.objects.bulk_create(
        ItemAnswer(item=item, candidate=candidate, number=item.payload["answers"][0]["number"])
        for item, candidate in zip(items, candidates, strict=True)
    )


def create_controls(batch: Batch, n: int) -> None:
    """Add control items. The question names them, for the tests: their people do not look at it."""
    for number in range(n):
        content = payloads.payload(
            question=f"{CONTROL} {number}?", context=[], answers=["A stone."], evidence=None
        )
        item = ItemFactory(
            batch=batch,
            turn=TurnFactory(conversation__dataset=batch.pool.dataset),
            position=FIRST_POSITION + number,
            payload=content,
            n_wanted=None,
            n_open=0,
        )
        Key.objects.create(item=item, label="plausible", created_by=batch.created_by)


def set_password(*, user: str, password: str) -> None:
    found = User.objects.get(username=user)
    found.set_password(password)
    found.save()


def start_scoring(study: Study, n: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        turns = [turn(number, f"A dark stone, {number}.") for number in range(1, n + 1)]
        answers = [answer(number, f"A stone, {number}.") for number in range(1, n + 1)]
        dataset = create_dataset(study, Path(folder), turns)
        create_run(dataset, Path(folder), answers)
    score_job(dataset, chunk_size=1)
