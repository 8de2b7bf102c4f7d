"""What adjudicators read: the queue of disputes, and all that happened to an item, nobody named.

Annotators are letters, in the order in which they took the item. Run, score and reference are told only
once nothing about the item's question is open any more (`behind`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from accounts.models import Study, User
from annotation import schemes
from annotation.models import (
    Assignment,
    Batch,
    BatchState,
    FlagAnswer,
    Item,
    ItemAnswer,
    Judgement,
    Verdict,
    VerdictState,
)
from annotation.queries import adjudication_access, dispute_order
from annotation.schemes import Shows, payloads
from corpus.models import Answer
from sampling.models import Fate
from sampling.pools.selection import State
from text.lettering import letter


@dataclass(frozen=True)
class Disputed:
    """An item in dispute, in the queue: its votes by label, and whether the reader judged it."""

    item: Item
    batch: Batch
    votes: dict[str, int]
    is_own: bool

    @property
    def largest_share(self) -> float:
        return max(self.votes.values(), default=0) / max(sum(self.votes.values()), 1)


@dataclass(frozen=True, slots=True)
class Place:
    """Where something in dispute stands in the queue: the keys of its verdict, its item and its batch."""

    verdict: int
    item: int
    batch: int


def dispute_queue(study: Study, reader: User) -> list[Place]:
    """The study's items in dispute in the order of annotation.queries.dispute_order, the items of a question in a
    batch in a row; of equally disputed ones, as the batches and their items stand in order. What the reader
    must not know of yet (owed) is left out.
    """
    current = Verdict.objects.current().filter(
        item__batch__study=study, state=VerdictState.DISPUTED
    )
    current = current.exclude(
        item__in=adjudication_access.items_hidden_from(reader, study).values("pk")
    )
    rows = current.order_by("item__batch__created_at", "item__batch_id", "item__position")
    columns = rows.values_list("pk", "item_id", "item__batch_id", "item__turn_id", "votes")
    return dispute_order.in_order(
        dispute_order.Dispute(Place(verdict, item, batch), (batch, turn), votes, place)
        for place, (verdict, item, batch, turn, votes) in enumerate(columns)
    )


def disputes_at(places: Sequence[Place], reader: User) -> list[Disputed]:
    """The disputes in these places, as many as are shown at once, in their order."""
    rows = Verdict.objects.filter(pk__in=[place.verdict for place in places])
    verdicts = {row.pk: row for row in rows.select_related("item__batch")}
    handed = Assignment.objects.filter(annotator=reader, item__in=[place.item for place in places])
    own = set(handed.values_list("item_id", flat=True))
    ordered = [verdicts[place.verdict] for place in places if place.verdict in verdicts]
    return [
        Disputed(each.item, each.item.batch, each.votes, each.item_id in own) for each in ordered
    ]


def next_dispute(study: Study, reader: User) -> Item | None:
    """The first item in the queue that the reader was not handed."""
    handed = Assignment.objects.filter(item__batch__study=study, annotator=reader)
    own = set(handed.values_list("item_id", flat=True))
    first = next(
        (place.item for place in dispute_queue(study, reader) if place.item not in own), None
    )
    return None if first is None else Item.objects.get(pk=first)


@dataclass(frozen=True)
class Progress:
    """How far the study's disputes are settled: those in dispute now, of those that ever were."""

    n_left: int
    n_all: int

    @property
    def n_decided(self) -> int:
        return self.n_all - self.n_left

    @property
    def number(self) -> int:
        """Of the dispute that is settled next, from 1."""
        return self.n_decided + 1


def progress(study: Study) -> Progress:
    disputed = Verdict.objects.filter(item__batch__study=study, state=VerdictState.DISPUTED)
    return Progress(
        n_left=disputed.current().count(),
        n_all=disputed.order_by().values("item").distinct().count(),
    )


@dataclass(frozen=True)
class CurrentJudgement:
    """What one annotator says of the item now."""

    who: str
    label: str
    in_full: list[str]
    comment: str
    submitted_at: datetime
    is_counted: bool
    not_counted_because: str
    assignment: UUID


def current_judgements(item: Item) -> list[CurrentJudgement]:
    """The judgements that stand, in the order in which the item was taken."""
    by_assignment = assignment_letters(item)
    scheme = schemes.get(item.batch.scheme)
    judgements = Judgement.objects.not_withdrawn().filter(assignment__item=item)
    counted = set(judgements.counted().values_list("pk", flat=True))
    return [
        CurrentJudgement(
            who=by_assignment[judgement.assignment_id],
            label=scheme.words(judgement.response),
            in_full=scheme.in_full(
                judgement.response, judgement.order, item.payload, payloads.by_number(item.payload)
            ),
            comment=judgement.comment,
            submitted_at=judgement.submitted_at,
            is_counted=judgement.pk in counted,
            not_counted_because=_why_not_counted(judgement),
            assignment=judgement.assignment.public_id,
        )
        for judgement in judgements.order_by("assignment_id")
        .select_related("assignment")
        .prefetch_related("reviews")
    ]


def assignment_letters(item: Item) -> dict[int, str]:
    keys = item.assignments.order_by("pk").values_list("pk", flat=True)
    return {pk: letter(number) for number, pk in enumerate(keys)}


def _why_not_counted(judgement: Judgement) -> str:
    if judgement.is_surplus:
        return "it came when the item had its judgements already"
    decided = [review for review in judgement.reviews.all() if not review.is_counted]
    return decided[-1].counted_because if decided else ""


@dataclass(frozen=True)
class HistoryLine:
    """One thing that happened to the item."""

    at: datetime
    who: str
    what: str
    why: str = ""


def history_lines(item: Item) -> list[HistoryLine]:
    """All that happened to the item, oldest first. Organisers are named, annotators are letters."""
    lines = [*_work(item), *_decisions(item)]
    return sorted(lines, key=lambda line: line.at)


def _work(item: Item) -> Iterator[HistoryLine]:
    by_assignment = assignment_letters(item)
    scheme = schemes.get(item.batch.scheme)
    assignments = item.assignments.order_by("pk")
    for each in assignments.prefetch_related(
        "judgements__withdrawal", "judgements__reviews__reviewed_by", "flags"
    ):
        who = f"Annotator {by_assignment[each.pk]}"
        if each.skip_reason:
            yield HistoryLine(each.claimed_at, who, "skipped it", each.skip_reason)
        for judgement in each.judgements.all():
            late = ", too late to count" if judgement.is_surplus else ""
            label = scheme.words(judgement.response)
            yield HistoryLine(judgement.submitted_at, who, f"said {label}{late}", judgement.comment)
            if hasattr(judgement, "withdrawal"):
                yield HistoryLine(judgement.withdrawal.withdrawn_at, who, f"took {label} back")
            for review in judgement.reviews.all():
                paid = "paid" if review.is_paid else "not paid"
                counted = "counted" if review.is_counted else "not counted"
                yield HistoryLine(
                    review.reviewed_at,
                    review.reviewed_by.username,
                    f"reviewed {by_assignment[each.pk]}: {paid}, {counted}",
                    _joined(review.paid_because, review.counted_because),
                )
        for flag in each.flags.all():
            yield HistoryLine(flag.flagged_at, who, "flagged it", flag.message)
    answers = FlagAnswer.objects.filter(flag__assignment__item=item).select_related("answered_by")
    for answer in answers:
        yield HistoryLine(
            answer.answered_at, answer.answered_by.username, "answered a flag", answer.text
        )


def _joined(*reasons: str) -> str:
    return "; ".join(dict.fromkeys(reasons))


def _decisions(item: Item) -> Iterator[HistoryLine]:
    for exclusion in item.exclusions.select_related("excluded_by"):
        verb = "excluded it" if exclusion.is_excluded else "took it in again"
        yield HistoryLine(
            exclusion.excluded_at, exclusion.excluded_by.username, verb, exclusion.reason
        )
    for note in item.notes.select_related("noted_by"):
        yield HistoryLine(note.noted_at, note.noted_by.username, "noted", note.text)
    for verdict in item.verdicts.select_related("decided_by", "adjudication").order_by("pk"):
        yield HistoryLine(
            verdict.decided_at,
            verdict.decided_by.username,
            _in_words(verdict),
            verdict.adjudication.reason if verdict.adjudication else "",
        )


def _in_words(verdict: Verdict) -> str:
    if verdict.adjudication:
        return f"adjudicated it as {verdict.label}"
    if verdict.state == VerdictState.SET_ASIDE:
        return f"set it aside: {verdict.set_aside_reason}"
    votes = ", ".join(f"{n} {label}" for label, n in sorted(verdict.votes.items()))
    outcome = verdict.label or "in dispute"
    basis = "; ".join([votes or "no votes", *_likelihood(verdict)])
    return f"settled the batch by the rule {verdict.rule}: {outcome} ({basis})"


def _likelihood(verdict: Verdict) -> Iterator[str]:
    """By a rule that has one: how likely the likeliest label is."""
    if verdict.posterior:
        label = max(sorted(verdict.posterior), key=verdict.posterior.__getitem__)
        yield f"{label} is {100 * verdict.posterior[label]:.2f} % likely"


@dataclass(frozen=True)
class AnswerSource:
    """What nobody who decides may know beforehand: where the answer came from and how it scored."""

    runs: tuple[str, ...]
    score: float | None
    scorer: str
    references: tuple[str, ...]


def answer_source(item: Item) -> AnswerSource | None:
    """What stands behind an item, or None while something about its question is still to be decided.

    A control item is never settled: its answer stays as blind as it was. Of an item that shows several answers
    the figures of its batch say what stands behind them.
    """
    shows_one = schemes.get(item.batch.scheme).shows == Shows.ANSWER
    if item.n_wanted is None or not shows_one or _is_open(item):
        return None
    shown = ItemAnswer.objects.filter(item=item).select_related("candidate__pool__scorer")
    candidate = shown.select_related("candidate__source__pool__scorer").get().candidate
    source = candidate.source or candidate
    fates = Fate.objects.filter(candidate=source, state=State.DRAWN)
    references = Answer.objects.references(source.pool.dataset).filter(turn=item.turn_id)
    return AnswerSource(
        runs=tuple(sorted(set(fates.values_list("answer__run__name", flat=True)))),
        score=source.score,
        scorer=source.pool.scorer.name if source.pool.scorer else "",
        references=tuple(sorted(set(references.values_list("text", flat=True)))),
    )


def _is_open(item: Item) -> bool:
    """Whether any item on the same question has no verdict that stands, may yet get another one, or waits
    for a second look. Items that end with no verdict are decided once their batch is closed.
    """
    question = {"first__item__turn": item.turn_id, "first__item__batch__study": item.batch.study_id}
    if adjudication_access.open_requests(**question).exists():
        return True
    same = Item.objects.real().filter(turn=item.turn_id, batch__study=item.batch.study_id)
    ended = Verdict.objects.current().exclude(state=VerdictState.DISPUTED)
    without = [name for name in schemes.names() if not schemes.get(name).has_verdict]
    settled = same.filter(
        Q(verdicts__in=ended) | Q(batch__scheme__in=without), batch__state=BatchState.CLOSED
    )
    return same.exclude(pk__in=settled.values("pk")).exists()


def vote_labels(disputes: Iterable[Disputed]) -> list[str]:
    """Every label that got a vote in these disputes."""
    return sorted({label for each in disputes for label in each.votes})
