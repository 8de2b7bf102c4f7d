"""What a person did lately in a batch, and what was answered to what they flagged."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet, prefetch_related_objects

from accounts.compiled import Compiled, Param
from accounts.models import User
from annotation import schemes
from annotation.actions import judging
from annotation.models import Assignment, Batch, BatchState, FlagAnswer, Judgement
from annotation.schemes import Option

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
    """A judgement as its author sees it again. `fixed` says why it can no longer be changed, or is empty."""

    judgement: Judgement
    option: Option
    fixed: str

    @property
    def assignment(self) -> Assignment:
        return self.judgement.assignment


def judgements(batch: Batch, annotator: User) -> list[Said]:
    """The latest that stand, newest first: those that can be changed, unless they say why not."""
    found = judging.editable(batch, annotator)
    prefetch_related_objects(found, "assignment__item", "reviews")
    scheme = schemes.get(batch.scheme)
    return [
        Said(each, scheme.option(scheme.label(each.response)), _fixed(each, batch))
        for each in found
    ]


def _fixed(judgement: Judgement, batch: Batch) -> str:
    if batch.state == BatchState.CLOSED:
        return "the batch is closed"
    return "it was reviewed" if judgement.reviews.all() else ""


def answers(batch: Batch, annotator: User, said: Sequence[Said]) -> QuerySet[FlagAnswer]:
    """What was answered to the person's flags since their latest judgement, the first of `said`."""
    given = _given(batch.pk, annotator.pk)
    return given.filter(answered_at__gt=said[0].judgement.submitted_at) if said else given
