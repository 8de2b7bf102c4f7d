"""What commands, pages and exports read of batches and items."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import QuerySet

from annotation import schemes
from annotation.models import Batch, ItemAnswer, Judgement, Verdict, VerdictState
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
            answer=" / ".join(each["text"] for each in verdict.item.payload["answers"]),
            votes=verdict.votes,
            comments=tuple(comments[verdict.item_id]),
        )
        for verdict in verdicts
    ]
    return sorted(found, key=lambda each: max(each.votes.values()) / sum(each.votes.values()))


def _comments(batch: Batch) -> dict[int, list[str]]:
    counted = Judgement.objects.counted().filter(assignment__item__batch=batch).exclude(comment="")
    found: dict[int, list[str]] = defaultdict(list)
    for item_id, comment in counted.values_list("assignment__item_id", "comment"):
        found[item_id].append(comment)
    return found
