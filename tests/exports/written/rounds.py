"""Judgements of written answers in two rounds, made as rows, and a small world of them.

| question | bob, first round                | dora, second round                            |
| -------- | ------------------------------- | --------------------------------------------- |
| 1        | "It was lit in 1702." 1, 3      | keeps it                                      |
| 2        | "It burnt oil." 2, 5            | "It burnt oil and gas." 2, 3, 5               |
| 3        | "Nobody." 0, 1, 3               | skips it: unclear                             |
| 4        | the passage does not answer it  | keeps that                                    |
| 5        | "Oil." 2, 4, a short one does   | not asked                                     |
| 6        | skips it                        | not asked                                     |
| 7        | in a pilot, as dora does: the same answer of both, "Gas." 3                     |
| 8        | nobody is asked; the file says that the passage does not answer it              |
| 9        | nobody is asked; the file says nothing                                          |
"""

import itertools
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.db.models import F

from accounts.models import Study, User
from annotation import schemes
from annotation.models import Assignment, AssignmentState, Batch, Item, ItemPassage, Judgement
from annotation.schemes.routing import Routes, Written
from corpus.models import Dataset
from tests.annotation.pools import launched
from tests.factories import BatchFactory, ItemFactory
from tests.sampling.writing_dataset import LAMP, create_writing_dataset, draw_writing, question

AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
CONFIRMED = dict.fromkeys(("makes_sense", "concise", "grammatical"), "yes")
NOTHING = [
    {
        "answer": "",
        "selected_sentences": [],
        "meta": {
            "annotator": [],
            "has_minimal_answer": False,
            "non_consecutive": False,
            "round": 0,
            "skip": False,
        },
    }
]
_client_ids = (f"written-{number}" for number in itertools.count())


def answered(text: str, *sentences: int, **more: str) -> dict[str, str]:
    ticks = {f"s.1.{n}": "yes" for n in sentences}
    return {"outcome": "answered", "answer": text, **ticks, **CONFIRMED, **more}


UNANSWERABLE = {"outcome": "unanswerable"}
SKIP = {"outcome": "skip", "reason": "unclear"}


def judge(item: Item, person: User, response: dict[str, str]) -> Judgement:
    """The person's counted judgement of the item, as a row, with the response that the desk would store."""
    assignment = Assignment.objects.create(
        item=item,
        annotator=person,
        state=AssignmentState.SUBMITTED,
        claimed_at=AT,
        expires_at=AT,
        submitted_at=AT,
    )
    Item.objects.filter(pk=item.pk).update(n_open=F("n_open") - 1, n_counted=F("n_counted") + 1)
    return Judgement.objects.create(
        assignment=assignment,
        number=1,
        client_id=next(_client_ids),
        response=schemes.get("writing").clean(response, item.payload),
        shown_at=AT,
        submitted_at=AT,
        active_seconds=60,
        guideline_sha256="0" * 64,
        payload_sha256=item.payload_sha256,
    )


def second_item(batch: Batch, first: Judgement) -> Item:
    """An item of the second round, which shows that answer."""
    shown = first.assignment.item
    written = Written.of_response(first.response).to_payload()
    return ItemFactory(
        batch=batch,
        turn=shown.turn,
        position=batch.items.count() + 1,
        payload={**shown.payload, "written": written},
        came_from=shown,
        rewrites=first,
    )


def second_batch(first: Batch, name: str = "R2") -> Batch:
    return BatchFactory(
        pool=first.pool,
        name=name,
        scheme="writing",
        judgements_per_item=1,
        first_round=first,
        routes=Routes.ALL,
    )


def ask_only(batch: Batch, *keys: str) -> None:
    """Leave these questions of the batch alone."""
    others = batch.items.exclude(turn__conversation__key__in=keys)
    ItemPassage.objects.filter(item__in=others).delete()
    others.delete()


def item_of(batch: Batch, key: str) -> Item:
    return batch.items.get(turn__conversation__key=key)


def lights(study: Study, folder: Path) -> Dataset:
    """The data set of the world above: questions about one passage of six sentences, in two parts."""
    asked = [question(str(n), f"question {n}", LAMP) for n in range(1, 10)]
    asked[7]["output"] = NOTHING
    return create_writing_dataset(study, folder, dev=tuple(asked[:4]), train=tuple(asked[4:]))


def two_rounds(study: Study, folder: Path, bob: User, dora: User) -> Dataset:
    """The world above."""
    dataset = lights(study, folder)
    pool = draw_writing(dataset, name="all")
    first = launched(pool, name="R1", scheme="writing", judgements_per_item=1)
    ask_only(first, *"123456")
    pilot = launched(pool, name="pilot", scheme="writing", judgements_per_item=2)
    ask_only(pilot, "7")
    second = second_batch(first)
    said: list[tuple[str, dict[str, str], dict[str, str] | None]] = [
        ("1", answered("It was lit in 1702.", 1, 3), None),
        ("2", answered("It burnt oil.", 2, 5), answered("It burnt oil and gas.", 2, 3, 5)),
        ("3", answered("Nobody.", 0, 1, 3), SKIP),
        ("4", UNANSWERABLE, None),
    ]
    for key, ours, theirs in said:
        made = judge(item_of(first, key), bob, ours)
        kept: dict[str, Any] = {"kept": "modify", **theirs} if theirs else {"kept": "keep", **ours}
        if theirs == SKIP:
            kept = SKIP
        judge(second_item(second, made), dora, kept)
    judge(item_of(first, "5"), bob, answered("Oil.", 2, 4, minimal="yes"))
    judge(item_of(first, "6"), bob, SKIP)
    for person in (bob, dora):
        judge(item_of(pilot, "7"), person, answered("Gas.", 3))
    return dataset
