"""One object or row of a file, read field by field.

What is wrong goes to the report, and a stand-in comes back so that the other fields are looked at too:
a file with a problem gives no records, so no stand-in is ever seen.
"""

import math
import re
from collections.abc import Mapping

from corpus.problems import Report, json_excerpt
from corpus.records import turn_id

# PostgreSQL takes neither in text or jsonb; SQLite would take them and lose them in C strings.
UNHOLDABLE = re.compile("[\0\ud800-\udfff]")
# Of UTF-8. A passage's id stands in a unique index, and a row of a PostgreSQL index ends at 2,704 bytes;
# real ids are addresses and run to 1,401.
MOST_ID_BYTES = 2_000
LARGEST_NUMBER = 2**31 - 1
# Conversations are kept by their digits: CLAP-NQ's questions have numbers of nineteen.
LARGEST_CONVERSATION = 10**99
WHOLE_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,99})")
DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
NO_TURN = ("", 0)
TURN_NUMBER = re.compile(r"[1-9][0-9]*")


class Fields:
    """`within` is the field that holds this object, where it is not an object of the file's own."""

    def __init__(
        self, values: Mapping[str, object], report: Report, index: int, *, within: str = ""
    ) -> None:
        self.values = values
        self.report = report
        self.index = index
        self._within = within
        self._n_problems_before = len(report.problems)

    @property
    def clean(self) -> bool:
        """Whether nothing has been wrong so far; what is not clean is not compared with other objects."""
        return len(self.report.problems) == self._n_problems_before

    def problem(self, field: str, message: str, value: str = "") -> None:
        place = f"{self._within}.{field}" if self._within else field
        self.report.add(message, index=self.index, field=place, value=value)

    def required(self, field: str) -> bool:
        if field in self.values:
            return True
        self.problem(field, "is missing")
        return False

    def given(self, field: str) -> bool:
        """Whether an optional field says something: null says as little as no field at all."""
        return self.values.get(field) is not None

    def text(self, field: str) -> str:
        return self.holdable(field, self.values[field]) if self.required(field) else ""

    def optional_text(self, field: str) -> str:
        return self.holdable(field, self.values[field]) if self.given(field) else ""

    def said(self, field: str) -> str:
        """A required text, "" where it is blank: what says nothing is as good as left out."""
        return _or_nothing(self.text(field))

    def optionally_said(self, field: str) -> str:
        return _or_nothing(self.optional_text(field))

    def identifier(self, field: str) -> str:
        return self.as_identifier(field, self.values[field]) if self.required(field) else ""

    def number(self, field: str, *, least: int, most: int = LARGEST_NUMBER) -> int | None:
        """A whole number, or a text that is one in plain decimal digits ("12", not "012", "+12", "12.0")."""
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
        """A turn id of a table: a conversation, an underscore, a number from 1."""
        value = self.identifier(field)
        conversation, _, number = value.rpartition("_")
        if not (conversation.strip() and TURN_NUMBER.fullmatch(number)):
            self.problem(field, "is not a turn id (<conversation>_<turn>)", json_excerpt(value))
        return value

    def decimal(self, field: str) -> float:
        """A finite number written in ASCII digits with a point: not "0,5", "nan" or "1_0"."""
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
        """The value as a number; `key` is where it stands, if the field holds many."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            number = float(value)
            if math.isfinite(number):
                return number
        place = f"{field}[{json_excerpt(key)}]" if key else field
        self.problem(place, "is not a finite number", json_excerpt(value))
        return 0.0


class Turns:
    """The turns that a file has told of so far; a turn that comes a second time is a problem."""

    def __init__(self) -> None:
        self._index_of: dict[str, int] = {}

    def take(self, fields: Fields) -> tuple[str, int]:
        """The conversation and the number of the turn that an object is about."""
        conversation = fields.number("Conversation_no", least=0, most=LARGEST_CONVERSATION)
        number = fields.number("Turn_no", least=1)
        if conversation is None or number is None:
            return NO_TURN
        turn = turn_id(str(conversation), number)
        first = self._index_of.setdefault(turn, fields.index)
        if first != fields.index:
            fields.problem("turn", f"is already in record {first}", json_excerpt(turn))
        return str(conversation), number


def _or_nothing(text: str) -> str:
    return text if text.strip() else ""


def _whole(value: object) -> int | None:
    if isinstance(value, str) and WHOLE_NUMBER.fullmatch(value):
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
