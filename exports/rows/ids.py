"""Ids of answers, times and JSON values as every table has them."""

import json
from datetime import UTC, datetime


def answer_id(turn: str, text_sha256: str) -> str:
    """The id of a distinct answer in a release: its turn and the start of its text's hash."""
    return f"{turn}:{text_sha256[:16]}"


def conversation(turn_id: str) -> str:
    """The turn's conversation: the id up to its last underscore, which is kept; else all of it.

    With the underscore conversations of one turn each sort as their turns do: 10_1 before 1_1.
    """
    return turn_id[: turn_id.rfind("_") + 1] or turn_id


def timestamp(at: datetime | None) -> str:
    """The time in UTC, as 2026-01-31T12:00:00.000000Z; empty for None."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ") if at else ""


def cell_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
