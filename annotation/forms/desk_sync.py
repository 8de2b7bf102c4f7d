"""What the desk's script sends, read strictly: a field that is not what it should be is named."""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.utils.dateparse import parse_datetime

from annotation.actions.desk_sync import Sent
from annotation.actions.judgements import Submission
from annotation.models import Judgement
from annotation.models.limits import LONGEST_REASON

MOST_AT_ONCE = 100
MOST_ANSWERED = 1000
LONGEST_LABEL = 100
LONGEST_CLIENT_ID = Judgement._meta.get_field("client_id").max_length

Read = TypeVar("Read")


class FeedError(ValueError):
    """The request cannot be read; the message names the field."""


@dataclass(frozen=True)
class FirstPart:
    """What was said of the first part of a sheet: the item is to be shown whole."""

    assignment: UUID
    response: dict[str, str]


@dataclass(frozen=True)
class Asked:
    sent: list[Sent]
    opens: FirstPart | None
    ahead: set[UUID]
    wanted: int
    asks_progress: bool


NOTHING = Asked(sent=[], opens=None, ahead=set(), wanted=0, asks_progress=True)


def read(body: bytes) -> Asked:
    """The request of `POST desk/<batch>/feed/`. Raises FeedError."""
    try:
        given = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise FeedError("the request is not JSON") from error
    if not isinstance(given, dict):
        raise FeedError("the request is not an object")
    submissions = _list(given, "submissions")
    return Asked(
        sent=[_sent(each, f"submissions[{n}]") for n, each in enumerate(submissions)],
        opens=_first_part(given.get("opens")),
        ahead={_uuid(each, f"ahead[{n}]") for n, each in enumerate(_list(given, "ahead"))},
        wanted=_number(given.get("wanted", 0), "wanted", int, MOST_AT_ONCE),
        asks_progress=given.get("progress") is True,
    )


def _sent(given: object, path: str) -> Sent:
    if not isinstance(given, dict):
        raise FeedError(f"{path} is not an object")

    def of(name: str, reader: Callable[..., Read], *limits: Any) -> Read:
        return reader(given.get(name), f"{path}.{name}", *limits)

    return Sent(
        assignment=of("assignment", _uuid),
        submission=Submission(
            client_id=of("client_id", _text, LONGEST_CLIENT_ID),
            response=of("response", _response),
            shown_at=of("shown_at", _time),
            active_seconds=of("active_seconds", _number, (int, float), math.inf),
            comment=of("comment", _comment),
        ),
    )


def _first_part(given: object) -> FirstPart | None:
    if given is None:
        return None
    if not isinstance(given, dict):
        raise FeedError("opens is not an object")
    return FirstPart(
        assignment=_uuid(given.get("assignment"), "opens.assignment"),
        response=_response(given.get("response"), "opens.response"),
    )


def _list(given: dict[str, Any], name: str) -> list[Any]:
    values = given.get(name, [])
    if not isinstance(values, list) or len(values) > MOST_AT_ONCE:
        raise FeedError(f"{name} is not a list of at most {MOST_AT_ONCE}")
    return values


def _uuid(value: object, path: str) -> UUID:
    try:
        return UUID(str(value))
    except ValueError as error:
        raise FeedError(f"{path} is not the id of an assignment") from error


def _text(value: object, path: str, longest: int) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= longest:
        raise FeedError(f"{path} is not a text of 1 to {longest} characters")
    return _storable(value, path)


def _response(value: object, path: str) -> dict[str, str]:
    """Short texts by short names; whether they answer anything the scheme says."""
    if not isinstance(value, dict) or len(value) > MOST_ANSWERED:
        raise FeedError(f"{path} is not an object of at most {MOST_ANSWERED} fields")
    return {
        _text(name, f"a name in {path}", LONGEST_LABEL): _text(
            said, f"{path}.{name}", LONGEST_LABEL
        )
        for name, said in value.items()
    }


def _comment(value: object, path: str) -> str:
    """As the plain form takes it: ends of lines as one character, nothing around it."""
    said = "" if value is None else value
    if not isinstance(said, str) or len(said) > LONGEST_REASON:
        raise FeedError(f"{path} is not a text of at most {LONGEST_REASON} characters")
    return _storable(said, path).strip()


def _storable(text: str, path: str) -> str:
    """Neither NUL nor half of a surrogate pair: no database keeps them."""
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise FeedError(f"{path} holds a character that is no text")
    return text


def _time(value: object, path: str) -> datetime:
    try:
        found = parse_datetime(value) if isinstance(value, str) else None
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise FeedError(f"{path} is not a time with its zone, as 2026-05-12T10:00:00.000Z")
    return found


def _number(value: Any, path: str, kind: Any, most: float) -> Any:
    if not isinstance(value, kind) or isinstance(value, bool) or not 0 <= value <= most:
        raise FeedError(f"{path} is not a number that can be")
    if not math.isfinite(value):
        raise FeedError(f"{path} is not a number that can be")
    return value
