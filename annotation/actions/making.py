"""The items of a batch: what each shows, and in which order they stand."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from activity.actions.transactions import snapshot
from annotation import payloads, schemes
from annotation.actions import clock, screens
from annotation.models import (
    Batch,
    Grouping,
    Item,
    ItemAnswer,
    SetAside,
    Source,
    Verdict,
    VerdictState,
)
from sampling.models import Candidate


@dataclass(frozen=True)
class Screened:
    """What the items of a batch will show, made before anything is locked."""

    basis: tuple[object, ...]
    candidates: list[Candidate]
    screens: list[screens.Screen]
    hashes: list[str]


def screened(batch: Batch) -> Screened:
    """What the batch's items would show, as its pool stands now."""
    with snapshot():
        pool = Candidate.objects.filter(pool=batch.pool).select_related("turn__conversation")
        candidates = in_order(batch, pool)
        scheme = schemes.get(batch.scheme)
        shown = screens.of(batch=batch, scheme=scheme, candidates=candidates)
        hashes = [payloads.sha256(screen.payload) for screen in shown]
        return Screened(_basis(batch), candidates, shown, hashes)


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
    )


def make(batch: Batch, found: Screened, by: User, *, ask_without_evidence: bool) -> int:
    """Write the items of a batch that is locked, and say how many they are.

    What was screened of the batch as it stood before is screened anew. An item without evidence is set aside
    where nobody is to be asked about it.
    """
    if found.basis != _basis(batch):  # the draft was changed in this moment
        found = screened(batch)
    shown = zip(found.candidates, found.screens, found.hashes, strict=True)
    items = Item.objects.bulk_create(
        _item(batch, candidate, screen, sha256, position, ask_without_evidence)
        for position, (candidate, screen, sha256) in enumerate(shown, start=1)
    )
    ItemAnswer.objects.bulk_create(
        ItemAnswer(item=item, candidate=candidate)
        for item, candidate in zip(items, found.candidates, strict=True)
    )
    _set_aside_without_evidence(items, by, clock.now(batch))
    return len(items)


def in_order(batch: Batch, candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates as the batch's items will stand."""
    return sorted(candidates, key=lambda candidate: _place(batch, candidate))


def _place(batch: Batch, candidate: Candidate) -> tuple[str, str]:
    """Where a candidate stands: shuffled by the batch's seed, the same on every machine."""
    is_in_a_row = batch.grouping != Grouping.NONE
    turn = _shuffled(batch, candidate.turn.key) if is_in_a_row else ""
    return turn, _shuffled(batch, f"{candidate.turn.key} {candidate.text_sha256}")


def _shuffled(batch: Batch, name: str) -> str:
    return hashlib.sha256(f"{batch.seed} {batch.name} {name}".encode()).hexdigest()


def _item(
    batch: Batch,
    candidate: Candidate,
    screen: screens.Screen,
    sha256: str,
    position: int,
    ask_anyway: bool,
) -> Item:
    asked = ask_anyway or screen.payload.get("evidence") != []
    return Item(
        batch=batch,
        turn_id=candidate.turn_id,
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
