"""Which answer to a question stands: the one that all who worked on it gave, or that an adjudicator decided for.

Imports no Django.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.deciding import LABELS
from annotation.schemes.routing import SKIP, Kind
from annotation.schemes.routing import Written as Content
from exports.written.answers import WrittenAnswer, is_written, n_people

Json = dict[str, Any]
AGREED = "agreed"
# What becomes of questions that more than one person worked on; all add up.
OPEN, LEFT_OUT, SEVERAL = "open", "left_out", "several"
ROUND_OF_A_THIRD = 3


@dataclass(frozen=True, slots=True)
class Decided:
    """What an adjudicator decided on an item of the second round: which answer stands (annotation.deciding)."""

    label: str
    content: Content
    minimal: bool
    reason: str


Decisions = Mapping[str, Decided]  # by the item of the second round


@dataclass(frozen=True, slots=True)
class Standing:
    """The answer that stands, and `by` what: agreed, or a label of annotation.deciding.

    `given` are the answers that say the same: none, where a third one was written.
    """

    by: str
    content: Content
    given: list[WrittenAnswer]
    minimal: bool

    @property
    def is_left_out(self) -> bool:
        return self.content.outcome == SKIP

    def output(self, of_question: Sequence[WrittenAnswer], number_of: Mapping[str, int]) -> Json:
        """It as an output of CLAP-NQ's lines, with `decision` in its meta."""
        return {
            "answer": self.content.answer,
            "selected_sentences": of_question[0].shown.texts(self.content.ticked),
            "meta": {
                "annotator": [number_of[each.annotator] for each in self.given],
                "has_minimal_answer": self.minimal,
                "non_consecutive": self.content.kind == Kind.GAPS,
                "round": max((each.round for each in self.given), default=ROUND_OF_A_THIRD),
                "skip": self.is_left_out,
                "decision": self.by,
            },
        }


def standing(of_question: Sequence[WrittenAnswer], decisions: Decisions) -> Standing | None:
    """The answer that stands; None if there is none yet. `of_question` are all answers of `answers.by_question`.

    Each answer of the first round ends with something: with itself if everybody in the second kept it, or nobody saw it;
    with what was decided; or it is open. A question has an answer if all of them end with the same. Who skipped it in the
    first round is left out, if anybody answered; one answer beside skips alone is open until somebody has kept it.
    """
    ends = list(_ends(of_question, decisions))
    if None in ends or len({content for _, content, _ in filter(None, ends)}) != 1:
        return None
    found = [end for end in ends if end]
    by, content, _ = next((end for end in found if end[0] != AGREED), found[0])
    given = [each for each in of_question if each.content == content]
    minimal = any(each.minimal for each in given) or any(end[2] for end in found)
    return Standing(by, content, given, minimal)


def _ends(
    of_question: Sequence[WrittenAnswer], decisions: Decisions
) -> Iterator[tuple[str, Content, bool] | None]:
    everybody = [each for each in of_question if each.round == 1]
    firsts = [each for each in everybody if each.content.outcome != SKIP] or everybody
    for first in firsts:
        seconds = [each for each in of_question if each.first == first.judgement]
        decided = decisions.get(seconds[0].item_id) if seconds else None
        if decided:
            yield decided.label, decided.content, decided.minimal
        elif not seconds and len(firsts) == 1:
            yield None
        elif all(each.content == first.content for each in seconds):
            yield AGREED, first.content, False
        else:
            yield None


def counts(questions: Mapping[int, Sequence[WrittenAnswer]], decisions: Decisions) -> Json:
    """Numbers of questions that more than one person worked on: all of them as `n`, and by what their answer stands. None
    stands of those that are `open`, or `several`: nothing is open, but answers of the first round end with different ones.
    """
    found = Counter(
        _state(of_question, decisions)
        for of_question in questions.values()
        if is_written(of_question) and n_people(of_question) > 1
    )
    return {"n": found.total()} | {
        name: found[name] for name in (AGREED, *LABELS, LEFT_OUT, SEVERAL, OPEN)
    }


def _state(of_question: Sequence[WrittenAnswer], decisions: Decisions) -> str:
    found = standing(of_question, decisions)
    if found is None:
        return OPEN if None in _ends(of_question, decisions) else SEVERAL
    return LEFT_OUT if found.is_left_out else found.by
