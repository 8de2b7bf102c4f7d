"""A person's latest judgements in a batch, and the answers to their flags."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet, prefetch_related_objects

from accounts.models import User
from annotation import schemes
from annotation.models import Assignment, AssignmentState, Batch, BatchState, FlagAnswer, Judgement
from annotation.models.work import AssignmentQuerySet
from annotation.schemes import Scheme, payloads
from annotation.schemes.sheet import SheetScheme
from performance.compiled_queries import Compiled, Param

# This many of a person's latest judgements can still be changed.
N_EDITABLE = 10


def editable_judgements(batch: Batch, annotator: User) -> list[Judgement]:
    """The person's latest current judgements in the batch, newest first; at most N_EDITABLE."""
    own = Judgement.objects.not_withdrawn().filter(
        assignment__in=latest_assignments(batch, annotator)[:N_EDITABLE]
    )
    return list(own.order_by("-submitted_at", "-pk"))


def latest_assignments(batch: Batch, annotator: User) -> AssignmentQuerySet:
    """The assignments that the person has judged in the batch, latest first; found by an index."""
    own = Assignment.objects.filter(annotator=annotator, state=AssignmentState.SUBMITTED)
    return own.filter(item__batch=batch).order_by("-submitted_at", "-pk")


N_ANSWERS = 5


def _flag_answers(batch: int | Param, annotator: int | Param) -> QuerySet[FlagAnswer]:
    rows = FlagAnswer.objects.filter(
        flag__assignment__annotator=annotator, flag__assignment__item__batch=batch
    )
    return rows.select_related("flag__assignment__item")


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
    """

    judgement: Judgement
    words: str
    lines: list[str]
    why_fixed: str

    @property
    def content(self) -> dict[str, Any]:
        """The content of the item with the answers in the order of the screen."""
        payload = self.assignment.item.payload
        if not self.judgement.order:  # no order is stored
            return payloads.content_by_number(payload)
        return payloads.content_in_order(payload, self.judgement.order)

    @property
    def assignment(self) -> Assignment:
        return self.judgement.assignment


def recent_judgements_of(batch: Batch, annotator: User) -> list[RecentJudgement]:
    """The person's latest judgements in the batch, newest first."""
    judgements = editable_judgements(batch, annotator)
    prefetch_related_objects(judgements, "assignment__item", "reviews")
    scheme = schemes.get(batch.scheme)
    return [
        RecentJudgement(
            each,
            scheme.own_words(each.response),
            _lines(scheme, each),
            _why_fixed(each, batch),
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
    if batch.state == BatchState.CLOSED:
        return "the batch is closed"
    return "it was reviewed" if judgement.reviews.all() else ""


def new_flag_answers(
    batch: Batch, annotator: User, recent: Sequence[RecentJudgement]
) -> QuerySet[FlagAnswer]:
    """The answers to the person's flags since the latest judgement, the first of `recent`."""
    flag_answers = _flag_answers(batch.pk, annotator.pk)
    return (
        flag_answers.filter(answered_at__gt=recent[0].judgement.submitted_at)
        if recent
        else flag_answers
    )
