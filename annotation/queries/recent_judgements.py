"""A person's latest judgements in a batch, and the answers to their flags."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import QuerySet, prefetch_related_objects
from django.utils.text import Truncator

from accounts.models import User
from annotation import schemes
from annotation.models import Assignment, AssignmentState, Batch, BatchState, FlagAnswer, Judgement
from annotation.models.work import AssignmentQuerySet
from annotation.queries import training
from annotation.queries.training import Expectation
from annotation.schemes import Scheme, payloads
from annotation.schemes.sheet import SheetScheme
from performance.compiled_queries import Compiled, Param

# This many of a person's latest judgements can still be changed.
N_EDITABLE = 10


def editable_judgements(batch: Batch, annotator: User) -> list[Judgement]:
    """The person's latest current judgements in the batch, newest first; at most N_EDITABLE."""
    return LATEST_JUDGEMENTS.all(N_EDITABLE, batch=batch.pk, annotator=annotator.pk)


def latest_assignments(batch: Batch | Param, annotator: User | Param) -> AssignmentQuerySet:
    """The assignments that the person has judged in the batch, latest first; found by an index."""
    own = Assignment.objects.filter(annotator=annotator, state=AssignmentState.SUBMITTED)
    return own.filter(item__batch=batch).order_by("-submitted_at", "-pk")


LATEST_JUDGEMENTS = Compiled(
    lambda n, *, batch, annotator: (
        Judgement.objects.not_withdrawn()
        .filter(assignment__in=latest_assignments(batch, annotator)[:n])
        .select_related("assignment__item")
        .order_by("-submitted_at", "-pk")
    )
)

# Items whose judgement the person undid and which they have not judged again: claimed, or expired since.
UNDONE = Compiled(
    lambda *, batch, annotator: (
        Judgement.objects.filter(
            assignment__annotator=annotator,
            assignment__item__batch=batch,
            assignment__state__in=(AssignmentState.CLAIMED, AssignmentState.EXPIRED),
        )
        .select_related("assignment__item")
        .order_by("number")
    )
)

N_ANSWERS = 5


def _flag_answers(batch: int | Param, annotator: int | Param) -> QuerySet[FlagAnswer]:
    rows = FlagAnswer.objects.filter(
        flag__assignment__annotator=annotator, flag__assignment__item__batch=batch
    )
    return rows.select_related("flag__assignment__item")


# Before everything that anybody judged.
NEVER = datetime(1970, 1, 1, tzinfo=UTC)

ANSWERS_SINCE = Compiled(
    lambda *, batch, annotator, since: _flag_answers(batch, annotator).filter(answered_at__gt=since)
)
LATEST_ANSWERS = Compiled(
    lambda *, batch, annotator: _flag_answers(batch, annotator).order_by("-answered_at", "-pk")[
        :N_ANSWERS
    ]
)


@dataclass(frozen=True)
class RecentJudgement:
    """A judgement for its annotator.

    words       the response in a few words
    lines       the whole response to a sheet, a line for each question; [] for another scheme
    why_fixed   why it can no longer be changed; "" if it can
    expectation what was expected of it, in training only
    """

    judgement: Judgement
    words: str
    lines: list[str]
    why_fixed: str
    expectation: Expectation | None = None

    @property
    def content(self) -> dict[str, Any]:
        """The content of the item with the answers in the order of the screen."""
        payload = self.assignment.item.payload
        if not self.judgement.order:  # no order is stored
            return payloads.content_by_number(payload)
        return payloads.content_in_order(payload, self.judgement.order)

    @property
    def beginning(self) -> str:
        """What tells the item from others, in a line: the answer, or the question where there are several."""
        payload = self.assignment.item.payload
        answers = [] if self.lines else self.content["answers"]
        text = answers[0]["text"] if len(answers) == 1 else payload["question"]
        return Truncator(" ".join(text.split())).chars(60)

    @property
    def assignment(self) -> Assignment:
        return self.judgement.assignment


def recent_judgements_of(batch: Batch, annotator: User) -> list[RecentJudgement]:
    """The person's latest judgements in the batch, newest first."""
    return _recent(batch, editable_judgements(batch, annotator))


def undone_items_of(batch: Batch, annotator: User) -> list[RecentJudgement]:
    """The items that the person undid and has not judged again, each with the judgement that was undone last."""
    by_item = {
        each.assignment_id: each for each in UNDONE.all(batch=batch.pk, annotator=annotator.pk)
    }
    return _recent(batch, list(by_item.values()))


def latest_judgement_of(batch: Batch, annotator: User) -> RecentJudgement | None:
    """The person's latest judgement in the batch, if it is current."""
    latest = LATEST_JUDGEMENTS.all(1, batch=batch.pk, annotator=annotator.pk)
    return next(iter(_recent(batch, latest)), None)


def _recent(batch: Batch, judgements: Sequence[Judgement]) -> list[RecentJudgement]:
    prefetch_related_objects(judgements, "reviews")
    scheme = schemes.get(batch.scheme)
    told = training.expectations(batch, judgements)
    return [
        RecentJudgement(
            each,
            scheme.own_words(each.response),
            _lines(scheme, each),
            _why_fixed(each, batch),
            told.get(each.pk),
        )
        for each in judgements
    ]


def _lines(scheme: Scheme, judgement: Judgement) -> list[str]:
    if not isinstance(scheme, SheetScheme):
        return []
    payload = judgement.assignment.item.payload
    return scheme.response_lines(
        judgement.response, judgement.order, payload, payloads.letters(judgement.order)
    )


def _why_fixed(judgement: Judgement, batch: Batch) -> str:
    if batch.is_training:
        return "you were told what was expected"
    if batch.state == BatchState.CLOSED:
        return "the batch is closed"
    return "it was reviewed" if judgement.reviews.all() else ""


def new_flag_answers(
    batch: Batch, annotator: User, last: RecentJudgement | None
) -> list[FlagAnswer]:
    """The answers to the person's flags since their latest judgement."""
    since = last.judgement.submitted_at if last else NEVER
    return ANSWERS_SINCE.all(batch=batch.pk, annotator=annotator.pk, since=since)
