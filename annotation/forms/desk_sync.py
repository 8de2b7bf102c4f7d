"""Parsing and validation of the desk's data requests; errors name the field."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.utils.dateparse import parse_datetime

from annotation.actions.desk_submissions import SentJudgement
from annotation.actions.judgements import Submission
from annotation.models import Judgement
from annotation.models.limits import LONGEST_REASON
from annotation.schemes.written_questions import LONGEST_RAW

MOST_AT_ONCE = 100
MOST_ANSWERED = 1000
LONGEST_LABEL = 100
LONGEST_CLIENT_ID = Judgement._meta.get_field("client_id").max_length

Read = TypeVar("Read")


class DeskRequestError(ValueError):
    """The request cannot be read; the message names the field."""


@dataclass(frozen=True)
class FirstPart:
    """The response to the first part of a sheet; the item is to be shown whole next."""

    assignment: UUID
    response: dict[str, str]


@dataclass(frozen=True)
class DeskRequest:
    """The parsed request; `ahead` are the assignments that the browser has and has not judged."""

    sent: list[SentJudgement]
    first_part: FirstPart | None
    ahead: set[UUID]
    n_more: int
    asks_progress: bool


EMPTY_REQUEST = DeskRequest(sent=[], first_part=None, ahead=set(), n_more=0, asks_progress=True)


def parsed_request(body: bytes) -> DeskRequest:
    """The request of `POST desk/<batch>/feed/`. Raises DeskRequestError."""
    try:
        content = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise DeskRequestError("the request is not JSON") from error
    if not isinstance(content, dict):
        raise DeskRequestError("the request is not an object")
    submissions = _list(content, "submissions")
    return DeskRequest(
        sent=[_sent_judgement(each, f"submissions[{n}]") for n, each in enumerate(submissions)],
        first_part=_first_part(content.get("opens")),
        ahead={_uuid(each, f"ahead[{n}]") for n, each in enumerate(_list(content, "ahead"))},
        n_more=_number(content.get("wanted", 0), "wanted", int, MOST_AT_ONCE),
        asks_progress=content.get("progress") is True,
    )


def _sent_judgement(content: object, path: str) -> SentJudgement:
    if not isinstance(content, dict):
        raise DeskRequestError(f"{path} is not an object")

    def parsed(name: str, reader: Callable[..., Read], *limits: Any) -> Read:
        return reader(content.get(name), f"{path}.{name}", *limits)

    return SentJudgement(
        assignment=parsed("assignment", _uuid),
        submission=Submission(
            client_id=parsed("client_id", _text, LONGEST_CLIENT_ID),
            response=parsed("response", _response),
            shown_at=parsed("shown_at", _time),
            active_seconds=parsed("active_seconds", _number, (int, float), sys.float_info.max),
            comment=parsed("comment", _comment),
        ),
    )


def _first_part(content: object) -> FirstPart | None:
    if content is None:
        return None
    if not isinstance(content, dict):
        raise DeskRequestError("opens is not an object")
    return FirstPart(
        assignment=_uuid(content.get("assignment"), "opens.assignment"),
        response=_response(content.get("response"), "opens.response"),
    )


def _list(content: dict[str, Any], name: str) -> list[Any]:
    values = content.get(name, [])
    if not isinstance(values, list) or len(values) > MOST_AT_ONCE:
        raise DeskRequestError(f"{name} is not a list of at most {MOST_AT_ONCE}")
    return values


def _uuid(value: object, path: str) -> UUID:
    try:
        return UUID(str(value))
    except ValueError as error:
        raise DeskRequestError(f"{path} is not the id of an assignment") from error


def _text(value: object, path: str, longest: int) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= longest:
        raise DeskRequestError(f"{path} is not a text of 1 to {longest} characters")
    return _storable(value, path)


def _response(value: object, path: str) -> dict[str, str]:
    """A dict of short names and texts; the scheme validates it later."""
    if not isinstance(value, dict) or len(value) > MOST_ANSWERED:
        raise DeskRequestError(f"{path} is not an object of at most {MOST_ANSWERED} fields")
    return {
        _text(name, f"a name in {path}", LONGEST_LABEL): _text(
            answer, f"{path}.{name}", LONGEST_RAW
        )
        for name, answer in value.items()
    }


def _comment(value: object, path: str) -> str:
    """The text as Django's form field cleans it: without surrounding space."""
    comment = "" if value is None else value
    if not isinstance(comment, str) or len(comment) > LONGEST_REASON:
        raise DeskRequestError(f"{path} is not a text of at most {LONGEST_REASON} characters")
    return _storable(comment, path).strip()


def _storable(text: str, path: str) -> str:
    """The text. Raises DeskRequestError for NUL and lone surrogates, which no database stores."""
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise DeskRequestError(f"{path} holds a character that is no text")
    return text


def _time(value: object, path: str) -> datetime:
    try:
        time = parse_datetime(value) if isinstance(value, str) else None
    except ValueError:
        time = None
    if time is None or time.tzinfo is None:
        raise DeskRequestError(f"{path} is not a time with its zone, as 2026-05-12T10:00:00.000Z")
    return time


def _number(value: Any, path: str, kind: Any, most: float) -> Any:
    if not isinstance(value, kind) or isinstance(value, bool) or not 0 <= value <= most:
        raise DeskRequestError(f"{path} is not a number that can be")
    return value
