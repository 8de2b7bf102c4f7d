"""What a person did lately in a batch, and what was answered to what they flagged."""

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


def editable(batch: Batch, annotator: User) -> list[Judgement]:
    """The person's latest judgements in the batch that stand, newest first."""
    own = Judgement.objects.standing().filter(assignment__in=latest(batch, annotator)[:N_EDITABLE])
    return list(own.order_by("-submitted_at", "-pk"))


def latest(batch: Batch, annotator: User) -> AssignmentQuerySet:
    """What the person has judged in the batch, latest first: found by index, however much it is."""
    own = Assignment.objects.filter(annotator=annotator, state=AssignmentState.SUBMITTED)
    return own.filter(item__batch=batch).order_by("-submitted_at", "-pk")


N_ANSWERS = 5


def _given(batch: int | Param, annotator: int | Param) -> QuerySet[FlagAnswer]:
    """What was answered to the person's flags."""
    given = FlagAnswer.objects.filter(
        flag__assignment__annotator=annotator, flag__assignment__item__batch=batch
    )
    return given.select_related("flag__assignment__item")


LATEST_ANSWERS = Compiled(
    lambda *, batch, annotator: _given(batch, annotator).order_by("-answered_at", "-pk")[:N_ANSWERS]
)


@dataclass(frozen=True)
class Said:
    """A judgement as its author sees it again. `fixed` says why it can no longer be changed, or is empty.

    `lines` are all that was said, where that is more than `words` tells.
    """

    judgement: Judgement
    words: str
    lines: list[str]
    fixed: str

    @property
    def shown(self) -> dict[str, Any]:
        """The content of the item as it stood on the screen."""
        payload = self.assignment.item.payload
        if not self.judgement.order:  # none was stored with it
            return payloads.as_numbered(payload)
        return payloads.presented(payload, self.judgement.order)

    @property
    def assignment(self) -> Assignment:
        return self.judgement.assignment


def judgements(batch: Batch, annotator: User) -> list[Said]:
    """The latest that stand, newest first: those that can be changed, unless they say why not."""
    found = editable(batch, annotator)
    prefetch_related_objects(found, "assignment__item", "reviews")
    scheme = schemes.get(batch.scheme)
    return [
        Said(
            each,
            scheme.own_words(each.response),
            _lines(scheme, each),
            _fixed(each, batch),
        )
        for each in found
    ]


def _lines(scheme: Scheme, said: Judgement) -> list[str]:
    if not isinstance(scheme, SheetScheme):
        return []
    payload = said.assignment.item.payload
    return scheme.in_full(said.response, said.order, payload, payloads.letters(said.order))


def _fixed(judgement: Judgement, batch: Batch) -> str:
    if batch.state == BatchState.CLOSED:
        return "the batch is closed"
    return "it was reviewed" if judgement.reviews.all() else ""


def answers(batch: Batch, annotator: User, said: Sequence[Said]) -> QuerySet[FlagAnswer]:
    """What was answered to the person's flags since their latest judgement, the first of `said`."""
    given = _given(batch.pk, annotator.pk)
    return given.filter(answered_at__gt=said[0].judgement.submitted_at) if said else given
