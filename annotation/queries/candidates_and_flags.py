"""Accepted candidates, disputes and flags of batches, for commands, pages and exports."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    TextField,
    Value,
    When,
)
from django.db.models.functions import Cast, Concat

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
from annotation.queries import dispute_order
from corpus.versions import first_turn
from sampling.models import Candidate


def accepted_candidates(batch: Batch) -> QuerySet[Candidate]:
    """The candidates whose item was decided with the scheme's accepted label."""
    accepted = schemes.settled_scheme(batch.scheme).accepted
    decided = Verdict.objects.current().filter(
        item__batch=batch, state=VerdictState.DECIDED, label=accepted
    )
    answers = ItemAnswer.objects.filter(item__in=decided.values("item_id"))
    return Candidate.objects.filter(pk__in=answers.values("candidate_id"))


def never_asked_candidates(batch: Batch) -> QuerySet[Candidate]:
    """The accepted candidates that no item has asked about by evidence. Answers are equal if text and turn are, in any version."""
    asked = _asked_by_evidence([batch.pk]).filter(item__batch__is_rehearsal=batch.is_rehearsal)
    accepted = accepted_candidates(batch).alias(answer=_answer_key())
    return accepted.filter(~Q(answer__in=asked.values(answer=_answer_key("candidate__"))))


def candidates_to_ask(batch: Batch, *, only_never_asked: bool) -> list[Candidate] | None:
    """The accepted candidates to ask about by evidence; None for all of them."""
    if not only_never_asked:
        return None
    return list(never_asked_candidates(batch).select_related("turn__conversation"))


def n_never_asked(batches: Iterable[Batch]) -> dict[int, int]:
    """The number of never_asked_candidates() by batch, without batches that have none. One query."""
    keys = [batch.pk for batch in batches]
    decided = Verdict.objects.current().filter(
        item__batch__in=keys,
        item__batch__scheme=schemes.ACCEPTANCE.name,
        state=VerdictState.DECIDED,
        label=schemes.ACCEPTANCE.accepted,
    )
    is_rehearsal = Case(When(item__batch__is_rehearsal=True, then=Value("r")), default=Value("-"))
    key = Concat(is_rehearsal, _answer_key("candidate__"), output_field=TextField())
    asked = _asked_by_evidence(keys).values(answer=key)
    # Such an item shows one answer.
    shown = Concat(
        is_rehearsal, _answer_key("item__answers__candidate__"), output_field=TextField()
    )
    answers = decided.alias(answer=shown).filter(~Q(answer__in=asked))
    return dict(answers.order_by().values_list("item__batch").annotate(n=Count("pk")))


def _answer_key(candidate: str = "") -> Concat:
    """An expression for an answer: its turn, of several versions that are the same the first, and its text.

    One text, so that a database compares it with many at once, and asks for none of them by itself.
    """
    turn = Cast(first_turn(f"{candidate}turn__"), TextField())
    return Concat(turn, Value(" "), F(f"{candidate}text_sha256"), output_field=TextField())


def _asked_by_evidence(batches: Collection[int]) -> QuerySet[ItemAnswer]:
    """What items ask about by evidence in the studies of the batches with these keys."""
    studies = Batch.objects.filter(pk__in=batches)
    asking = Batch.objects.counting().filter(
        scheme=schemes.GROUNDING.name, study__in=studies.values("study")
    )
    return ItemAnswer.objects.filter(item__batch__in=asking).order_by()


def batches_followed_by_evidence(batches: Iterable[Batch]) -> set[int]:
    """The keys of the batches with answers that another batch asks about by evidence."""
    came = Item.objects.filter(came_from__batch=OuterRef("pk"), batch__in=Batch.objects.counting())
    followed = Batch.objects.filter(Exists(came), pk__in=[batch.pk for batch in batches])
    return set(followed.order_by().values_list("pk", flat=True))


@dataclass(frozen=True)
class DisputeSummary:
    """An item in dispute as an adjudicator may see it: no run, no score, no reference, no names."""

    item: str
    turn: str
    question: str
    answer: str
    votes: dict[str, int]
    comments: tuple[str, ...]


def disputes(batch: Batch) -> list[DisputeSummary]:
    """The items in dispute, in the order of annotation.queries.dispute_order."""
    current = Verdict.objects.current().filter(item__batch=batch, state=VerdictState.DISPUTED)
    verdicts = current.select_related("item__turn__conversation").order_by("item__position")
    comments = _comments(batch)
    summaries = [
        DisputeSummary(
            item=str(verdict.item.public_id),
            turn=verdict.item.turn.key,
            question=verdict.item.payload["question"],
            answer=_answer(verdict.item),
            votes=verdict.votes,
            comments=tuple(comments[verdict.item_id]),
        )
        for verdict in verdicts
    ]
    return dispute_order.in_order(
        dispute_order.Dispute(each, each.turn, each.votes, place)
        for place, each in enumerate(summaries)
    )


def _answer(item: Item) -> str:
    return " / ".join(each["text"] for each in item.payload["answers"])


def _comments(batch: Batch) -> dict[int, list[str]]:
    counted = Judgement.objects.counted().filter(assignment__item__batch=batch).exclude(comment="")
    by_item: dict[int, list[str]] = defaultdict(list)
    for item_id, comment in counted.values_list("assignment__item_id", "comment"):
        by_item[item_id].append(comment)
    return by_item


@dataclass(frozen=True)
class FlagSummary:
    """A flag as a requester or adjudicator may see it: without names, as in a DisputeSummary."""

    flag: str
    assignment: str
    item: str
    turn: str
    question: str
    answer: str
    message: str
    flagged_at: str
    answers: tuple[str, ...]


def flags(batch: Batch) -> list[FlagSummary]:
    """The flags of the batch: those without an answer first, each group in the order of time."""
    rows = Flag.objects.filter(assignment__item__batch=batch)
    answers: dict[int, list[str]] = defaultdict(list)
    flag_answers = FlagAnswer.objects.filter(flag__assignment__item__batch=batch)
    for flag_id, text in flag_answers.values_list("flag_id", "text"):
        answers[flag_id].append(text)
    summaries = [
        FlagSummary(
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
    return sorted(summaries, key=lambda each: bool(each.answers))
