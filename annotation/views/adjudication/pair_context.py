"""What the page of an item shows of two written answers that differ: blind, without who wrote them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from accounts.guards import StudyRequest
from accounts.models import Role
from annotation import deciding, schemes
from annotation.deciding import Version
from annotation.forms.written_decisions import PREFIX, WrittenForm
from annotation.models import Adjudication, Item
from annotation.queries import written_pairs
from annotation.queries.written_pairs import Pair
from annotation.schemes.base import Response
from annotation.schemes.questions import TICK
from annotation.schemes.routing import SENTENCE, SKIP, Written
from annotation.schemes.sheet import SheetScheme
from annotation.schemes.writing import CONFIRMATIONS, SKIP_REASONS
from annotation.schemes.written_questions import TITLE, Sentences
from text import beside
from text.beside import Line

IN_WORDS_OF_REASON = {option.label: option.words for option in SKIP_REASONS}


@dataclass(frozen=True)
class _Shown:
    """What is shown of any response."""

    response: Response
    content: Written

    @property
    def is_skipped(self) -> bool:
        return self.content.outcome == SKIP

    @property
    def why_skipped(self) -> str:
        return IN_WORDS_OF_REASON.get(self.response.get("reason", ""), "")

    @property
    def is_minimal(self) -> bool:
        return self.response.get("minimal") == TICK


@dataclass(frozen=True)
class Side(_Shown):
    """A version as it is shown: its text with what another has not, and what it ticks."""

    version: Version
    lines: list[Line]
    ticked: list[str]
    only: list[str]
    differs_in_white_space: bool


@dataclass(frozen=True)
class Third(_Shown):
    """An answer that an adjudicator wrote, and whether it stands."""

    stands: bool

    @property
    def lines(self) -> list[str]:
        return self.content.answer.split("\n")

    @property
    def ticked(self) -> list[str]:
        return [_called(n) for n in self.content.ticked]


@dataclass(frozen=True)
class SentenceShown:
    """A sentence of the passage, or its title: the numbers of the versions that tick it, and its tick in a third."""

    number: int
    text: str
    name: str
    is_set: bool
    versions: list[int]

    @property
    def is_title(self) -> bool:
        return self.number == TITLE


def sides(versions: Sequence[Version]) -> list[Side]:
    """The versions beside one another: the first marked against the second, the others against the first."""
    first = versions[0]
    found = []
    for version in versions:
        is_first = version is first
        others = versions[1:2] if is_first else [first]
        other = "".join(each.content.answer for each in others)
        texts = (version.content.answer, other) if is_first else (other, version.content.answer)
        lines = beside.marked(*texts)[0 if is_first else 1]
        theirs = {n for each in others for n in each.content.ticked}
        own = version.content.ticked
        found.append(
            Side(
                version.response,
                version.content,
                version,
                lines,
                [_called(n) for n in own],
                [_called(n) for n in own if others and n not in theirs],
                not is_first
                and beside.differ_in_white_space(first.content.answer, version.content.answer),
            )
        )
    return found


def _called(number: int) -> str:
    return "the title" if number == TITLE else str(number)


def sentences(item: Item, pair: Pair, third: Response) -> list[SentenceShown]:
    scheme = cast(SheetScheme, schemes.get(item.batch.scheme))
    asked = scheme.questions(deciding.own_payload(item.payload))
    (passage,) = (each for each in asked if isinstance(each, Sentences))
    return [
        SentenceShown(
            number=(n := int(mark.name.removeprefix(SENTENCE))),
            text=mark.words,
            name=PREFIX + mark.name,
            is_set=mark.is_set(third),
            versions=[each.number for each in pair.versions if n in each.content.ticked],
        )
        for mark in passage.marks
    ]


def form(
    request: StudyRequest, item: Item, pair: Pair, data: Any = None, *, is_as_seen: bool = True
) -> WrittenForm:
    """The form of the decision. A third answer begins with the version that `take` in the query names, with what was
    decided, or with the last version that is not skipped.

    It asks to confirm a change of what was decided unless somebody decided since (not `is_as_seen`): the action tells
    who, or that it is the same decision sent twice.
    """
    taken = next((each for each in pair.versions if each.choice == request.GET.get("take")), None)
    begins = [each.response for each in pair.versions if each.content.outcome != SKIP]
    begins_with = begins[-1] if begins else {}
    if pair.decision:
        begins_with = pair.decision.response
    if taken:
        begins_with = taken.response
    scheme = cast(SheetScheme, schemes.get(item.batch.scheme))
    # Confirmations are given anew, as by who keeps an answer at the desk.
    begins_with = {name: each for name, each in begins_with.items() if name not in CONFIRMATIONS}
    return WrittenForm(
        scheme,
        item.payload,
        pair.versions,
        data,
        begins_with=begins_with,
        is_third=taken is not None,
        changes=in_words(pair.decision, pair) if pair.decision and is_as_seen else "",
    )


def in_words(decision: Adjudication, pair: Pair) -> str:
    """What was decided: "answer 2", or "another answer"."""
    if decision.label == deciding.THIRD:
        return "another answer"
    content = Written.of_response(decision.response)
    same = (each.number for each in pair.versions if each.content == content)
    return f"answer {next(same, '')}".strip()


def context(
    request: StudyRequest, item: Item, pair: Pair, adjudicate: WrittenForm | None
) -> dict[str, Any]:
    """What the page of the item shows of the pair, with its form."""
    adjudicate = adjudicate or form(request, item, pair)
    decision = pair.decision
    return {
        "pair": pair,
        "adjudicate": adjudicate,
        "answer_sides": sides(pair.versions),
        "sentences": sentences(item, pair, adjudicate.third),
        "settled_as": in_words(decision, pair) if decision else "",
    }


def decided_third(item: Item, pair: Pair | None) -> Third | None:
    """The answer that an adjudicator wrote in the latest decision, also where it stands no more: nothing else has it."""
    last = item.adjudications.not_retracted().last
    made = (pair.decision or pair.outdated) if pair else last()
    if made is None or made.label != deciding.THIRD:
        return None
    stands = bool(pair and pair.decision)
    return Third(made.response, Written.of_response(made.response), stands)


def is_own(request: StudyRequest, item: Item) -> bool:
    return written_pairs.is_own(request.user, item)


def obstacle(request: StudyRequest, item: Item, pair: Pair | None) -> str:
    """Why this person cannot decide between the answers now; "" if they can."""
    if Role.ADJUDICATOR not in request.roles:
        return "Adjudicators decide between answers; you are not one in this study."
    if is_own(request, item):
        return "You were assigned this question in one of the rounds: somebody else has to decide."
    if objection := written_pairs.obstacle(item.batch):
        return f"{objection[0].upper()}{objection[1:]}."
    if pair is None:
        return "Answers of both rounds are not there, or do not count: there is nothing to decide."
    if not pair.differs:
        return "The answer was kept: there is nothing to decide."
    return ""
