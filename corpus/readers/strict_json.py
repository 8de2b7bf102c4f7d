"""A strict JSON reader: what Python's own reader accepts or silently loses is reported.

Refused: a key twice in one object, NaN and Infinity, numbers of more than 100 digits, text after
the end.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from corpus.problems import Report, json_excerpt
from corpus.readers.encoding import is_utf8

SPACE = re.compile(r"[ \t\n\r]*")
# Python refuses to convert more than 4,300 digits, in the midst of a file; no number that is meant has 100.
MOST_DIGITS = 100

JsonObject = dict[str, object]


def objects(path: Path, report: Report) -> Iterator[tuple[int, JsonObject]]:
    """Yield the objects of a JSON list with their positions from 1. Reports an empty list.

    Reading ends where the file is no longer JSON: later objects have no certain position.
    """
    if not is_utf8(path, report):
        return
    text = _Text(path.read_text(encoding="utf-8-sig"))
    index = 0
    try:
        for index, value in enumerate(text.elements(), start=1):
            yield from _object(value, text.notes, report, index)
    except json.JSONDecodeError as error:
        report.add(f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}")
    except RecursionError:
        report.add("is nested too deeply to be read", index=index + 1)
    except _NotAListError as error:
        report.add(f"the file holds {error}, not a list of objects")
    else:
        if not index:
            report.add("the list is empty")


def objects_by_line(path: Path, report: Report) -> Iterator[tuple[int, JsonObject]]:
    """Yield the objects of a JSON Lines file with their line numbers; skip blank lines.

    One line is held at a time. A line that is not JSON is reported and the next one is read. The
    caller has checked that the file is UTF-8.
    """
    with path.open(encoding="utf-8-sig") as file:
        for number, line in enumerate(file, start=1):
            if not line.isspace():
                yield from _object_of_line(line, report, number)


def _object_of_line(line: str, report: Report, number: int) -> Iterator[tuple[int, JsonObject]]:
    text = _Text(line)
    try:
        value = text.value()
        text.expect_end()
    except json.JSONDecodeError as error:
        report.add(f"not JSON: {error.msg} at column {error.colno}", index=number)
    except RecursionError:
        report.add("is nested too deeply to be read", index=number)
    else:
        yield from _object(value, text.notes, report, number)


def _object(
    value: object, notes: list[str], report: Report, index: int
) -> Iterator[tuple[int, JsonObject]]:
    for note in notes:
        report.add(note, index=index)
    if isinstance(value, dict):
        yield index, value
    else:
        report.add("is not an object", index=index, value=json_excerpt(value))


class _NotAListError(Exception):
    pass


class _Text:
    """A JSON text read value by value; `notes` has the problems of the last value."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.notes: list[str] = []
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._pairs, parse_constant=self._constant, parse_int=self._whole
        )
        self._move_to(0)

    def elements(self) -> Iterator[object]:
        if not self._skip("["):
            self._refuse_other_than_list()
        if not self._skip("]"):
            yield self.value()
            while self._skip(","):
                yield self.value()
            if not self._skip("]"):
                raise json.JSONDecodeError("Expecting ',' delimiter", self.text, self.position)
        self.expect_end()

    def value(self) -> object:
        self.notes.clear()
        value, end = self._decoder.raw_decode(self.text, self.position)
        self._move_to(end)
        return value

    def expect_end(self) -> None:
        if self.position < len(self.text):
            raise json.JSONDecodeError("Extra data", self.text, self.position)

    def _refuse_other_than_list(self) -> None:
        if self.position == len(self.text):
            raise _NotAListError("nothing")
        value = self.value()
        self.expect_end()
        raise _NotAListError(json_excerpt(value))

    def _skip(self, mark: str) -> bool:
        found = self.text.startswith(mark, self.position)
        if found:
            self._move_to(self.position + 1)
        return found

    def _move_to(self, position: int) -> None:
        """Move to the first character from there on that is not white space."""
        space = SPACE.match(self.text, position)
        self.position = space.end() if space else position

    def _pairs(self, pairs: list[tuple[str, object]]) -> JsonObject:
        values = dict(pairs)
        if len(values) < len(pairs):
            times = Counter(key for key, _ in pairs)
            self.notes += [
                f"the key {json_excerpt(key)} is there twice" for key, n in times.items() if n > 1
            ]
        return values

    def _constant(self, name: str) -> float:
        self.notes.append(f"{name} is not a number of JSON")
        return math.nan

    def _whole(self, digits: str) -> int | float:
        if len(digits) <= MOST_DIGITS:
            return int(digits)
        self.notes.append(f"a number has {len(digits)} digits, more than {MOST_DIGITS}")
        return math.inf
