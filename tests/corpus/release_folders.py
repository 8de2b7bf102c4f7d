"""Folders of releases, as small as a test needs them."""

import hashlib
from pathlib import Path
from typing import Any

from tests.corpus.imports import turn
from text import canonical_json

Record = dict[str, Any]


def accepted(answer: str, tier: str = "gold", **fields: Any) -> Record:
    return {
        "answer": answer,
        "tier": tier,
        "runs": ["alder"],
        "plausible": {"verdict": "plausible", "source": "consensus", "votes": {"plausible": 2}},
        "faithful": {"status": "faithful" if tier == "gold" else "not asked"},
        "evidence": [],
        "batch": "earlier",
        "accepted_at": "2026-04-30T12:00:00.000000Z",
        **fields,
    }


def released(number: int, reference: str, *answers: Record, **fields: Any) -> Record:
    """The record of a turn with its accepted answers."""
    return {**turn(number, reference, **fields), "Truth_answers_alternative": list(answers)}


def without_silver(record: Record) -> Record:
    answers = record["Truth_answers_alternative"]
    return record | {
        "Truth_answers_alternative": [each for each in answers if each.get("tier") == "gold"]
    }


def write_release(folder: Path, records: list[Record], **manifest: Any) -> Path:
    """Write the three files that are read; `manifest` replaces values of the manifest."""
    folder.mkdir(exist_ok=True)
    texts = {
        "gold.json": canonical_json.contents([without_silver(record) for record in records]),
        "silver.json": canonical_json.contents(records),
    }
    for name, contents in texts.items():
        (folder / name).write_bytes(contents)
    values = {
        "study": "elsewhere",
        "release": 3,
        "created_at": "2026-05-01T12:00:00.000000Z",
        "touchstone": "1.0",
        "is_rehearsal": False,
        "dataset": {"name": "touch", "version": 1, "digest": "0" * 64},
        "files": {name: hashlib.sha256(text).hexdigest() for name, text in texts.items()},
    }
    (folder / "manifest.json").write_bytes(canonical_json.contents(values | manifest))
    return folder
