"""The accepted answers of a data set that has read a release, and the release's files made of them."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from corpus.records import AcceptedRecord, TurnRecord

# Field of the accepted answers in the records of gold.json and silver.json.
ALTERNATIVE = "Truth_answers_alternative"
# Field of an accepted answer that is an extracted sentence too: the ids of the passages that it was extracted from.
EXTRACTED_FROM = "extracted_from"
GOLD, SILVER = "gold", "silver"
# The tiers whose answers each file has.
FILES = {"gold.json": (GOLD,), "silver.json": (GOLD, SILVER)}


def stored(accepted: Iterable[AcceptedRecord]) -> str:
    """Return the text that a turn is stored with, "" without accepted answers."""
    sources = [each.source for each in accepted]
    return json.dumps(sources, separators=(",", ":"), sort_keys=True) if sources else ""


def from_stored(text: str) -> tuple[AcceptedRecord, ...]:
    return tuple(AcceptedRecord(each) for each in json.loads(text)) if text else ()


def truth_records(turns: Iterable[TurnRecord], file: str) -> list[dict[str, Any]]:
    """Return the records of gold.json or silver.json, in the order of the turns.

    A turn without a truth record is in neither.
    """
    return [
        {**turn.source, ALTERNATIVE: _sources(turn, FILES[file])} for turn in turns if turn.source
    ]


def _sources(turn: TurnRecord, tiers: tuple[str, ...]) -> list[dict[str, Any]]:
    return [each.source for each in turn.accepted if each.tier in tiers]


def numbers(turns: Iterable[TurnRecord]) -> dict[str, int]:
    """Return the numbers of accepted answers, n_gold and n_silver; empty if there are none."""
    tiers = [each.tier for turn in turns for each in turn.accepted]
    return {f"n_{tier}": tiers.count(tier) for tier in (GOLD, SILVER)} if tiers else {}


def of_tier(turn: TurnRecord, tier: str) -> tuple[str, ...]:
    return tuple(each.text for each in turn.accepted if each.tier == tier)


def about(release: Mapping[str, Any]) -> str:
    """Return which release was read back, for people."""
    kind = "rehearsed release" if release["is_rehearsal"] else "release"
    return f"{kind} {release['number']} of the study {release['study']}"
