"""Which of the answers of two rounds stands: one of them, or a third that an adjudicator writes. Imports no Django.

What differs is the outcome, the text or the ticked sentences (`Written`). Confirmations, and whether a short answer would
do, are no difference.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.schemes import payloads
from annotation.schemes.base import Payload, Response, ResponseError, Scheme
from annotation.schemes.routing import Written

FIRST, SECOND, THIRD = "first", "second", "third"
LABELS = (FIRST, SECOND, THIRD)


@dataclass(frozen=True)
class Version:
    """What one or more people answered. `number` 1 is of the first round, those of the second follow.

    `response` is one of the scheme, without whether it was kept.
    """

    number: int
    response: Response
    content: Written

    @property
    def label(self) -> str:
        return FIRST if self.number == 1 else SECOND

    @property
    def choice(self) -> str:
        """Its name among all versions: several people may have changed an answer, each in another way."""
        return self.label if self.number <= 2 else f"{SECOND}-{self.number}"


def versions(first: Response, seconds: Iterable[Response]) -> list[Version]:
    """The versions that differ: that of the first round, and those of the second by what they say. So the same answers
    are the same versions, whoever gave which of them first.
    """
    by_content: dict[Written, Response] = {}
    for response in (first, *seconds):
        own = {name: value for name, value in response.items() if name != "kept"}
        by_content.setdefault(Written.of_response(own), own)
    one, *others = by_content
    others.sort(key=lambda content: (content.outcome, content.answer, content.ticked))
    return [
        Version(number, by_content[content], content)
        for number, content in enumerate((one, *others), start=1)
    ]


def sha256(found: Sequence[Version]) -> str:
    """The hash of what these versions say: another one once any of them is another."""
    return payloads.sha256({"versions": [each.content.to_payload() for each in found]})


def own_payload(payload: Payload) -> dict[str, Any]:
    """The payload of an item of the second round as the first round had it: a third answer is asked for by it."""
    return {name: value for name, value in payload.items() if name != "written"}


def decided_response(
    label: str,
    response: Mapping[str, str] | None,
    found: Sequence[Version],
    *,
    scheme: Scheme,
    payload: Payload,
) -> Response:
    """The response that stands by this decision. Raises ResponseError if label and response do not fit."""
    if label == FIRST:
        return found[0].response
    if label == SECOND:
        return _second(response, found[1:])
    if label != THIRD:
        raise ResponseError(f"choose {', '.join(LABELS[:-1])} or {THIRD}, not {label!r}")
    if response is None:
        raise ResponseError("a third answer needs its text: write it on the page of the item")
    cleaned = scheme.clean(response, own_payload(payload))
    if same := next((each for each in found if each.content == Written.of_response(cleaned)), None):
        raise ResponseError(f"it is answer {same.number} as it stands: take that one")
    return cleaned


def _second(response: Mapping[str, str] | None, found: Sequence[Version]) -> Response:
    if response is not None:
        content = Written.of_response(response)
        found = [each for each in found if each.content == content]
    if len(found) > 1:
        raise ResponseError("several people changed it: choose one on the page of the item")
    if not found:
        raise ResponseError("nobody in the second round said that")
    return found[0].response
