"""The items of a batch: what each shows, and in which order they stand."""

from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from annotation.design import screens
from annotation.design.screens import Screen
from annotation.models import (
    Batch,
    Item,
    ItemAnswer,
    ItemPassage,
    SetAside,
    Source,
    Verdict,
    VerdictState,
)
from annotation.queries import batch_clock
from annotation.schemes import payloads
from jobs.transactions import snapshot


@dataclass(frozen=True)
class Screened:
    """What the items of a batch will show, made before anything is locked."""

    basis: tuple[object, ...]
    screens: list[Screen]
    hashes: list[str]


def screened(batch: Batch) -> Screened:
    """What the batch's items would show, as its pool stands now."""
    with snapshot():
        shown = screens.of(batch)
        hashes = [payloads.sha256(screen.payload) for screen in shown]
        return Screened(_basis(batch), shown, hashes)


def _basis(batch: Batch) -> tuple[object, ...]:
    """What decides what its items show, and in which order."""
    return (
        batch.study_id,
        batch.name,
        batch.pool_id,
        batch.scheme,
        batch.seed,
        batch.grouping,
        batch.shows_context,
        batch.opponents_per_answer,
    )


def make(batch: Batch, found: Screened, by: User, *, ask_without_evidence: bool) -> int:
    """Write the items of a batch that is locked, and say how many they are.

    What was screened of the batch as it stood before is screened anew. An item without evidence is set aside
    where nobody is to be asked about it.
    """
    if found.basis != _basis(batch):  # the draft was changed in this moment
        found = screened(batch)
    shown = zip(found.screens, found.hashes, strict=True)
    items = Item.objects.bulk_create(
        _item(batch, screen, sha256, position, ask_without_evidence)
        for position, (screen, sha256) in enumerate(shown, start=1)
    )
    made = list(zip(items, found.screens, strict=True))
    ItemAnswer.objects.bulk_create(
        ItemAnswer(item=item, candidate=candidate, number=number)
        for item, screen in made
        for number, candidate in enumerate(screen.candidates, start=1)
    )
    ItemPassage.objects.bulk_create(
        ItemPassage(item=item, passage=passage, number=number)
        for item, screen in made
        for number, passage in enumerate(screen.passages, start=1)
    )
    _set_aside_without_evidence(items, by, batch_clock.now(batch))
    return len(items)


def _item(batch: Batch, screen: Screen, sha256: str, position: int, ask_anyway: bool) -> Item:
    asked = ask_anyway or screen.payload.get("evidence") != []
    return Item(
        batch=batch,
        turn=screen.turn,
        position=position,
        payload=screen.payload,
        payload_sha256=sha256,
        came_from_id=screen.came_from,
        n_wanted=batch.judgements_per_item,
        n_open=batch.judgements_per_item if asked else 0,
    )


def _set_aside_without_evidence(items: list[Item], by: User, at: datetime) -> None:
    Verdict.objects.bulk_create(
        Verdict(
            item=item,
            state=VerdictState.SET_ASIDE,
            set_aside_reason=SetAside.NO_EVIDENCE,
            source=Source.DECISION,
            decided_at=at,
            decided_by=by,
        )
        for item in items
        if item.n_open == 0
    )
