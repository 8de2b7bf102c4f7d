"""Creation of the items of a batch."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max

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
class PreparedScreens:
    """The screens of a batch, made before anything is locked. `basis` are the settings they were made for."""

    basis: tuple[object, ...]
    screens: list[Screen]
    hashes: list[str]


def prepared_screens(batch: Batch) -> PreparedScreens:
    """The screens of the batch for its settings and pool of now."""
    if batch.is_training:  # its items are made of keys before it opens
        return PreparedScreens(_screen_settings(batch), [], [])
    with snapshot():
        prepared = screens.batch_screens(batch)
        hashes = [payloads.sha256(screen.payload) for screen in prepared]
        return PreparedScreens(_screen_settings(batch), prepared, hashes)


def _screen_settings(batch: Batch) -> tuple[object, ...]:
    """The settings that determine what items show and in which order."""
    return (
        batch.study_id,
        batch.name,
        batch.pool_id,
        batch.scheme,
        batch.seed,
        batch.grouping,
        batch.shows_context,
        batch.opponents_per_answer,
        batch.purpose,
        batch.first_round_id,
        batch.routes,
    )


def make_items(
    batch: Batch, prepared: PreparedScreens, by: User, *, ask_without_evidence: bool
) -> int:
    """Create the items of a locked batch and return their number.

    Screens prepared for other settings are made again. Items without evidence are set aside unless
    `ask_without_evidence`.
    """
    if prepared.basis != _screen_settings(batch):  # the draft was changed in this moment
        prepared = prepared_screens(batch)
    items = _create(batch, prepared.screens, prepared.hashes, 1, ask_without_evidence)
    _set_aside_without_evidence(items, by, batch_clock.now(batch))
    return len(items)


def add_items(batch: Batch, added: Sequence[Screen]) -> None:
    """Create the items of these screens behind all others of a locked batch that is open."""
    last = Item.objects.real().filter(batch=batch).aggregate(last=Max("position"))["last"] or 0
    hashes = [payloads.sha256(screen.payload) for screen in added]
    _create(batch, added, hashes, last + 1, ask_anyway=True)


def _create(
    batch: Batch, new: Sequence[Screen], hashes: Sequence[str], first: int, ask_anyway: bool
) -> list[Item]:
    """The items of these screens, created at positions from `first`."""
    rows = zip(new, hashes, strict=True)
    items = Item.objects.bulk_create(
        _item(batch, screen, sha256, position, ask_anyway)
        for position, (screen, sha256) in enumerate(rows, start=first)
    )
    screen_of_item = list(zip(items, new, strict=True))
    ItemAnswer.objects.bulk_create(
        ItemAnswer(item=item, candidate=candidate, number=number)
        for item, screen in screen_of_item
        for number, candidate in enumerate(screen.candidates, start=1)
    )
    ItemPassage.objects.bulk_create(
        ItemPassage(item=item, passage=passage, number=number)
        for item, screen in screen_of_item
        for number, passage in enumerate(screen.passages, start=1)
    )
    return items


def _item(batch: Batch, screen: Screen, sha256: str, position: int, ask_anyway: bool) -> Item:
    is_asked = ask_anyway or screen.payload.get("evidence") != []
    return Item(
        batch=batch,
        turn=screen.turn,
        position=position,
        payload=screen.payload,
        payload_sha256=sha256,
        came_from_id=screen.came_from,
        rewrites_id=screen.rewrites,
        n_wanted=batch.judgements_per_item,
        n_open=batch.judgements_per_item if is_asked else 0,
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
