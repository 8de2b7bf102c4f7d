"""How answers and times are written, the same in every table."""

import json
from datetime import UTC, datetime


def answer_id(turn: str, text_sha256: str) -> str:
    """How a distinct answer of a turn is called in a release."""
    return f"{turn}:{text_sha256[:16]}"


def instant(at: datetime | None) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ") if at else ""


def cell_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
