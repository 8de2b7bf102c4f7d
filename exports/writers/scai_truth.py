"""The extended truth: the shared task's truth with the accepted answers added.

A list of objects, one a turn that has a truth record, in the data set's order: the five keys as they
were read, so that the organisers' evaluator still runs on it, and `Truth_answers_alternative`, what
`exports.merge` makes. Keys within an object are sorted by code point, as everywhere in a release.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from corpus.readers.scai_truth import KEYS
from exports.writers import json_file

ALTERNATIVE = "Truth_answers_alternative"


def text(records: Iterable[Mapping[str, object]]) -> str:
    """Raises ValueError for a record with other keys, and for a turn that comes twice."""
    checked = list(records)
    for record in checked:
        _check_keys(record)
    _check_turns(checked)
    return json_file.text(checked)


def write(path: Path, records: Iterable[Mapping[str, object]]) -> None:
    path.write_bytes(text(records).encode("utf-8"))


def _check_keys(record: Mapping[str, object]) -> None:
    wrong = set(record) ^ {*KEYS, ALTERNATIVE}
    if wrong:
        raise ValueError(f"turn {_turn(record)}: missing or unknown keys {sorted(wrong)}")


def _check_turns(records: Iterable[Mapping[str, object]]) -> None:
    seen = set()
    for turn in map(_turn, records):
        if turn in seen:
            raise ValueError(f"turn {turn} comes twice")
        seen.add(turn)


def _turn(record: Mapping[str, object]) -> str:
    return f"{record.get('Conversation_no')}_{record.get('Turn_no')}"
