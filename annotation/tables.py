"""What commands, pages and exports read of batches and items."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import QuerySet

from annotation import schemes
from annotation.models import (
    Batch,
    Flag,
    FlagAnswer,
    Item,
    ItemAnswer,
    Judgement,
    Verdict,
    VerdictState,
)
from sampling.models import Candidate


def accepted_candidates(batch: Batch) -> QuerySet[Candidate]:
    """The answers that the batch's verdicts let go on: plausible ones, say."""
    accepted = schemes.get(batch.scheme).accepted
    decided = Verdict.objects.current().filter(
        item__batch=batch, state=VerdictState.DECIDED, label=accepted
    )
    answers = ItemAnswer.objects.filter(item__in=decided.values("item_id"))
    return Candidate.objects.filter(pk__in=answers.values("candidate_id"))


@dataclass(frozen=True)
class Dispute:
    """An item in dispute as an adjudicator may see it: no run, no score, no reference, no names."""

    item: str
    turn: str
    question: str
    answer: str
    votes: dict[str, int]
    comments: tuple[str, ...]


def disputes(batch: Batch) -> list[Dispute]:
    """The items in dispute, most disputed first: by the share of the largest vote, then in order."""
    current = Verdict.objects.current().filter(item__batch=batch, state=VerdictState.DISPUTED)
    verdicts = current.select_related("item__turn__conversation").order_by("item__position")
    comments = _comments(batch)
    found = [
        Dispute(
            item=str(verdict.item.public_id),
            turn=verdict.item.turn.key,
            question=verdict.item.payload["question"],
            answer=_answer(verdict.item),
            votes=verdict.votes,
            comments=tuple(comments[verdict.item_id]),
        )
        for verdict in verdicts
    ]
    return sorted(found, key=lambda each: max(each.votes.values()) / sum(each.votes.values()))


def _answer(item: Item) -> str:
    return " / ".join(each["text"] for each in item.payload["answers"])


def _comments(batch: Batch) -> dict[int, list[str]]:
    counted = Judgement.objects.counted().filter(assignment__item__batch=batch).exclude(comment="")
    found: dict[int, list[str]] = defaultdict(list)
    for item_id, comment in counted.values_list("assignment__item_id", "comment"):
        found[item_id].append(comment)
    return found


@dataclass(frozen=True)
class Flagged:
    """What an annotator flagged, as a requester or adjudicator may see it: no names, as in a Dispute."""

    flag: str
    assignment: str
    item: str
    turn: str
    question: str
    answer: str
    message: str
    flagged_at: str
    answers: tuple[str, ...]


def flags(batch: Batch) -> list[Flagged]:
    """What was flagged in the batch: first what nobody answered, and within both in order of time."""
    rows = Flag.objects.filter(assignment__item__batch=batch)
    answers: dict[int, list[str]] = defaultdict(list)
    given = FlagAnswer.objects.filter(flag__assignment__item__batch=batch)
    for flag_id, text in given.values_list("flag_id", "text"):
        answers[flag_id].append(text)
    found = [
        Flagged(
            flag=str(flag),
            assignment=str(flag.assignment),
            item=str(flag.assignment.item),
            turn=flag.assignment.item.turn.key,
            question=flag.assignment.item.payload["question"],
            answer=_answer(flag.assignment.item),
            message=flag.message,
            flagged_at=flag.flagged_at.isoformat(),
            answers=tuple(answers[flag.pk]),
        )
        for flag in rows.select_related("assignment__item__turn__conversation")
    ]
    return sorted(found, key=lambda each: bool(each.answers))
