"""The columns of written.csv. Imports no Django."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated

from exports.rows.columns import StudySlug, TurnId
from exports.written.answers import WrittenAnswer
from exports.written.standing import Decided, Decisions


@dataclass(frozen=True, slots=True)
class WrittenRow:
    """One row is what one person said of one question in one round: an answer, that there is none, or a skip.

    Only judgements that count.
    """

    study: StudySlug
    batch: Annotated[str, "the batch that the item is in"]
    turn_id: TurnId
    item_id: Annotated[str, "the item, as in items.csv"]
    first_item_id: Annotated[
        str, "the item of round 1 whose answer the item of round 2 showed; empty in round 1"
    ]
    round: Annotated[int, "1: written from the passage alone; 2: another person's answer was shown"]
    annotator: Annotated[str, "a pseudonym, the same throughout the study, as in judgements.csv"]
    outcome: Annotated[str, "answered, unanswerable or skip"]
    kept: Annotated[
        str, "in round 2 keep or modify; empty in round 1, and where the question was skipped"
    ]
    answer: Annotated[str, "the text; empty unless answered"]
    sentences: Annotated[
        str,
        "the numbers of the ticked sentences, joined with |: 1 is the first of the passage, 0 its title",
    ]
    non_consecutive: Annotated[
        bool,
        "whether a sentence that is not ticked lies between two that are; the title counts as none",
    ]
    minimal: Annotated[bool, "whether the annotator ticked that a short answer would do"]
    reason: Annotated[str, "why it was skipped: unclear, broken, several or other"]
    active_seconds: Annotated[float, "seconds of work at the desk, as in judgements.csv"]
    decision: Annotated[
        str,
        "in round 2 which answer stands, as an adjudicator decided: first (of round 1), second (of round 2) or third"
        " (written by who decided; its text is in adjudicated.jsonl); empty if nobody decided, and in round 1",
    ]
    decided_for: Annotated[
        bool,
        "in both rounds, whether an adjudicator decided for what this row says: where several people of round 2 changed"
        " an answer, which of them; false if nobody decided",
    ]
    decision_reason: Annotated[str, "why, as the adjudicator wrote it; empty without a decision"]


def rows(
    study: str, answers: Iterable[WrittenAnswer], decisions: Decisions
) -> Iterator[WrittenRow]:
    """The rows by round, batch, turn and annotator."""
    answers = list(answers)
    of_first = {
        each.first: decisions[each.item_id] for each in answers if each.item_id in decisions
    }
    for each in sorted(answers, key=_place):
        decided: Decided | None = decisions.get(each.item_id)
        yield WrittenRow(
            study=study,
            batch=each.batch,
            turn_id=each.turn_id,
            item_id=each.item_id,
            first_item_id=each.first_item_id,
            round=each.round,
            annotator=each.annotator,
            outcome=each.outcome,
            kept=each.kept,
            answer=each.answer,
            sentences="|".join(map(str, each.sentences)),
            non_consecutive=each.is_non_consecutive,
            minimal=each.minimal,
            reason=each.reason,
            active_seconds=each.active_seconds,
            decision=decided.label if decided else "",
            decided_for=_is_for(each, decided or of_first.get(each.judgement)),
            decision_reason=decided.reason if decided else "",
        )


def _is_for(each: WrittenAnswer, decided: Decided | None) -> bool:
    return decided is not None and decided.content == each.content


def _place(each: WrittenAnswer) -> tuple[int, str, str, str, int]:
    return each.round, each.batch, each.turn_id, each.annotator, each.judgement
