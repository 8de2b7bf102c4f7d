"""Fields of one object or row of a file.

Problems go to the report, and a placeholder is returned, so that the other fields are read too. A
file with a problem returns no records, so no placeholder is ever used.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping

from corpus.problems import Report, json_excerpt
from corpus.records import turn_id

# PostgreSQL takes neither in text or jsonb; SQLite would take them and lose them in C strings.
UNHOLDABLE = re.compile("[\0\ud800-\udfff]")
# Of UTF-8. A passage's id stands in a unique index, and a row of a PostgreSQL index ends at 2,704 bytes;
# real ids are addresses and run to 1,401.
MOST_ID_BYTES = 2_000
# Of the id of a question, which is Conversation.key.
MOST_KEY_LETTERS = 200
LARGEST_NUMBER = 2**31 - 1
# Conversations are kept by their digits: CLAP-NQ's questions have numbers of nineteen.
LARGEST_CONVERSATION = 10**99
WHOLE_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,99})")
DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
NO_TURN = ("", 0)
TURN_NUMBER = re.compile(r"[1-9][0-9]*")


class Fields:
    """The fields of an object.

    `within` is the field that holds the object, if it is a nested one.
    """

    def __init__(
        self, values: Mapping[str, object], report: Report, index: int, *, within: str = ""
    ) -> None:
        self.values = values
        self.report = report
        self.index = index
        self._within = within
        self._n_problems_before = report.n

    @property
    def is_sound(self) -> bool:
        """Return whether there has been no problem. Only such objects are compared with others."""
        return self.report.n == self._n_problems_before

    def problem(self, field: str, message: str, value: str = "") -> None:
        place = f"{self._within}.{field}" if self._within else field
        self.report.add(message, index=self.index, field=place, value=value)

    def required(self, field: str) -> bool:
        if field in self.values:
            return True
        self.problem(field, "is missing")
        return False

    def has_value(self, field: str) -> bool:
        """Return whether an optional field has a value that is not null."""
        return self.values.get(field) is not None

    def text(self, field: str) -> str:
        return self.holdable(field, self.values[field]) if self.required(field) else ""

    def optional_text(self, field: str) -> str:
        return self.holdable(field, self.values[field]) if self.has_value(field) else ""

    def text_unless_blank(self, field: str) -> str:
        """Return a required text; empty if it is blank."""
        return _unless_blank(self.text(field))

    def optional_unless_blank(self, field: str) -> str:
        return _unless_blank(self.optional_text(field))

    def identifier(self, field: str) -> str:
        return self.as_identifier(field, self.values[field]) if self.required(field) else ""

    def unique_identifier(self, field: str, known: dict[str, int]) -> str:
        """Return the id; report it if an earlier line has it. `known` has the line of each id so far."""
        key = self.identifier(field)
        first = known.setdefault(key, self.index)
        if first != self.index:
            self.problem(field, f"is already in line {first}", json_excerpt(key))
        if len(key) > MOST_KEY_LETTERS:
            self.problem(field, f"has more than {MOST_KEY_LETTERS} characters", json_excerpt(key))
        return key

    def number(self, field: str, *, least: int, most: int = LARGEST_NUMBER) -> int | None:
        """Return a whole number, also from a text of plain decimal digits.

        "12" is one, but not "012", "+12" or "12.0".
        """
        if not self.required(field):
            return None
        value = self.values[field]
        whole = _whole(value)
        if whole is None:
            self.problem(field, "is not a whole number", json_excerpt(value))
        elif whole < least:
            self.problem(field, f"is below {least}", json_excerpt(value))
        elif whole > most:
            self.problem(field, f"is above {most}", json_excerpt(value))
        else:
            return whole
        return None

    def turn_id(self, field: str) -> str:
        """Return a turn id of a table: a conversation, an underscore, a number from 1."""
        value = self.identifier(field)
        conversation, _, number = value.rpartition("_")
        if not (conversation.strip() and TURN_NUMBER.fullmatch(number)):
            self.problem(field, "is not a turn id (<conversation>_<turn>)", json_excerpt(value))
        return value

    def decimal(self, field: str) -> float:
        """Return a finite number from ASCII digits with a point: not "0,5", "nan" or "1_0"."""
        text = self.text(field).strip()
        if not DECIMAL.fullmatch(text):
            self.problem(field, "is not a number", json_excerpt(text))
            return 0.0
        return self.as_finite(field, float(text))

    def holdable(self, field: str, value: object) -> str:
        if not isinstance(value, str):
            self.problem(field, "is not text", json_excerpt(value))
            return ""
        bad = UNHOLDABLE.search(value)
        if bad:
            which = f"character {bad.start() + 1} is U+{ord(bad.group()):04X}"
            self.problem(field, f"{which}, which a database cannot hold")
        return value

    def as_identifier(self, field: str, value: object) -> str:
        text = self.holdable(field, value)
        if isinstance(value, str) and not text.strip():
            self.problem(field, "is an empty id", json_excerpt(value))
        if len(text.encode("utf-8", "surrogatepass")) > MOST_ID_BYTES:
            self.problem(field, f"is an id of more than {MOST_ID_BYTES} bytes", json_excerpt(value))
        return text

    def as_finite(self, field: str, value: object, *, key: str = "") -> float:
        """Return the value as a number; `key` is its place if the field holds many."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            number = float(value)
            if math.isfinite(number):
                return number
        place = f"{field}[{json_excerpt(key)}]" if key else field
        self.problem(place, "is not a finite number", json_excerpt(value))
        return 0.0


class Turns:
    """The turns of a file so far; a turn that occurs a second time is a problem."""

    def __init__(self) -> None:
        self._index_of: dict[str, int] = {}

    def take(self, fields: Fields) -> tuple[str, int]:
        """Return the conversation and the number of the turn of an object."""
        conversation = fields.number("Conversation_no", least=0, most=LARGEST_CONVERSATION)
        number = fields.number("Turn_no", least=1)
        if conversation is None or number is None:
            return NO_TURN
        turn = turn_id(str(conversation), number)
        first = self._index_of.setdefault(turn, fields.index)
        if first != fields.index:
            fields.problem("turn", f"is already in record {first}", json_excerpt(turn))
        return str(conversation), number


class SwappedFiles:
    """Whether every object of a file has the field of another file, and none has its own."""

    def __init__(self, own: str, other: str, other_file: str) -> None:
        self._own, self._other, self._other_file = own, other, other_file
        self._is_swapped: bool | None = None  # None before the first object

    def look_at(
        self, objects: Iterable[tuple[int, Mapping[str, object]]]
    ) -> Iterator[tuple[int, Mapping[str, object]]]:
        """Yield the objects as they are."""
        for index, values in objects:
            is_other = self._other in values and self._own not in values
            self._is_swapped = is_other and self._is_swapped is not False
            yield index, values

    def require_none(self, report: Report) -> None:
        """Raise ImportProblems with that alone if it is so: what each object lacks says nothing more."""
        if self._is_swapped:
            alone = Report(report.file, report.unit)
            alone.add(
                f"looks like the {self._other_file}: its records have a {self._other} and no {self._own}."
                " Are the two files swapped?"
            )
            alone.finish()


def _unless_blank(text: str) -> str:
    return text if text.strip() else ""


def _whole(value: object) -> int | None:
    if isinstance(value, str) and WHOLE_NUMBER.fullmatch(value):
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
