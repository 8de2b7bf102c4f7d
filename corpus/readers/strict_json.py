"""A strict JSON reader: what Python's own reader accepts or silently loses is reported.

Refused: a key twice in one object, NaN and Infinity, numbers of more than 100 digits, text after
the end.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import TextIO

from corpus.problems import Report, json_excerpt
from corpus.readers.encoding import is_utf8

SPACE = re.compile(r"[ \t\n\r]*")
# Python refuses to convert more than 4,300 digits, in the midst of a file; no number that is meant has 100.
MOST_DIGITS = 100
# Characters of a file that are read at once.
PIECE = 1 << 20
# No part of JSON that is cut where a piece ends begins earlier, but strings: \ud83d\ude00, -Infinity, 1.5e+.
LONGEST_MARK = 16

JsonObject = dict[str, object]


def objects(path: Path, report: Report) -> Iterator[tuple[int, JsonObject]]:
    """Yield the objects of a JSON list with their positions from 1. Reports an empty list.

    One object is held at a time, and a piece of the file.
    Reading ends where the file is no longer JSON: later objects have no certain position.
    """
    if not is_utf8(path, report):
        return
    index = 0
    try:
        with path.open(encoding="utf-8-sig") as file:
            text = _Text(file)
            for index, value in enumerate(text.elements(), start=1):
                yield from _object(value, text.notes, report, index)
    except json.JSONDecodeError as error:
        report.add(f"not JSON: {_what(error)} at line {error.lineno}, column {error.colno}")
    except RecursionError:
        report.add("is nested too deeply to be read", index=index + 1)
    except _NotAListError as error:
        report.add(f"the file holds {error}, not a list of objects")
    else:
        if not index:
            report.add("the list is empty")


def single_object(path: Path, report: Report) -> JsonObject | None:
    """Return the object that the file is; None if there is none, which is reported."""
    if not is_utf8(path, report):
        return None
    try:
        with path.open(encoding="utf-8-sig") as file:
            text = _Text(file)
            value = text.value()
            text.expect_end()
    except json.JSONDecodeError as error:
        report.add(f"not JSON: {_what(error)} at line {error.lineno}, column {error.colno}")
    except RecursionError:
        report.add("is nested too deeply to be read")
    else:
        return next((found for _, found in _object(value, text.notes, report, 1)), None)
    return None


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
    try:
        # Without the end of the line: what is missing there would be missed on the next line.
        text = _Text(StringIO(line.rstrip(" \t\r\n")))
        value = text.value()
        text.expect_end()
    except json.JSONDecodeError as error:
        report.add(f"not JSON: {_what(error)} at column {error.colno}", index=number)
    except RecursionError:
        report.add("is nested too deeply to be read", index=number)
    else:
        yield from _object(value, text.notes, report, number)


def _what(error: json.JSONDecodeError) -> str:
    """Return what is wrong; some of Python's messages end with "at"."""
    return error.msg.removesuffix(" at")


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
    """A JSON text read value by value; `notes` has the problems of the last value.

    `text` is a piece of the file. What was read of it is dropped when more is needed, so that a file
    of many values needs little memory; a character outside of the BMP would make all of the file's
    take four bytes.
    """

    def __init__(self, file: TextIO) -> None:
        self.notes: list[str] = []
        self._file = file
        self._is_at_end = False
        self._text = ""
        self._position = 0
        # The line of the text's beginning, from 0, and the characters of it that were dropped.
        self._line = self._column = 0
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
                raise self._error("Expecting ',' delimiter")
        self.expect_end()

    def value(self) -> object:
        while True:
            self.notes.clear()
            try:
                value, end = self._decoder.raw_decode(self._text, self._position)
            except json.JSONDecodeError as error:
                if not (self._may_be_cut(error) and self._read_on()):
                    raise self._placed(error) from None
            else:
                # A number may be longer than it is here.
                if end < len(self._text) - LONGEST_MARK or not self._read_on():
                    self._move_to(end)
                    return value

    def expect_end(self) -> None:
        if self._position < len(self._text):
            raise self._error("Extra data")

    def _may_be_cut(self, error: json.JSONDecodeError) -> bool:
        """Return whether the error may only say that the text ends here."""
        is_near_end = error.pos >= len(self._text) - LONGEST_MARK
        return is_near_end or error.msg.startswith("Unterminated string")

    def _read_on(self) -> bool:
        """Drop what was read and append at least as much as is left; change nothing at the file's end."""
        if self._is_at_end:
            return False
        dropped, left = self._text[: self._position], self._text[self._position :]
        n_asked = max(PIECE, len(left))
        more = self._file.read(n_asked)
        self._is_at_end = len(more) < n_asked
        if not more:
            return False
        n_lines = dropped.count("\n")
        self._line += n_lines
        self._column = len(dropped) - (dropped.rfind("\n") + 1) + (0 if n_lines else self._column)
        self._text, self._position = left + more, 0
        return True

    def _error(self, message: str) -> json.JSONDecodeError:
        return self._placed(json.JSONDecodeError(message, self._text, self._position))

    def _placed(self, error: json.JSONDecodeError) -> json.JSONDecodeError:
        """Return the error with its line and column in the file."""
        if error.lineno == 1:
            error.colno += self._column
        error.lineno += self._line
        return error

    def _refuse_other_than_list(self) -> None:
        if self._position == len(self._text):
            raise _NotAListError("nothing")
        value = self.value()
        if isinstance(value, dict) and self._text.startswith("{", self._position):
            raise _NotAListError("JSON Lines, an object on each line")
        self.expect_end()
        raise _NotAListError(json_excerpt(value))

    def _skip(self, mark: str) -> bool:
        found = self._text.startswith(mark, self._position)
        if found:
            self._move_to(self._position + 1)
        return found

    def _move_to(self, position: int) -> None:
        """Move to the first character from there on that is not white space."""
        self._position = self._past_space(position)
        while self._position == len(self._text) and self._read_on():
            self._position = self._past_space(0)

    def _past_space(self, position: int) -> int:
        space = SPACE.match(self._text, position)
        return space.end() if space else position

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
