"""The answers of a batch of writing, and those of them that a second round shows."""

from collections.abc import Iterator
from dataclasses import dataclass

from annotation.models import Batch, Judgement
from annotation.models.work import JudgementQuerySet
from annotation.schemes import payloads
from annotation.schemes.routing import Routes, Written
from corpus.models import Turn


@dataclass(frozen=True)
class FirstAnswer:
    """An answer of the first round: the keys of its item and its judgement, and what was written."""

    turn: Turn
    item: int
    judgement: int
    written: Written

    @property
    def sha256(self) -> str:
        return payloads.sha256(self.written.to_payload())


# What is long, and not shown by a second round: its screens read passages by themselves.
UNREAD = (
    "assignment__item__payload",
    *(f"assignment__item__turn__{field}" for field in ("record", "source", "truth_passages")),
)


def written(batch: Batch) -> list[Written]:
    """Return what was written, of the answers that first_answers() yields."""
    responses = _counted(batch).order_by().values_list("response", flat=True)
    return [Written.of_response(response) for response in responses.iterator()]


def _counted(batch: Batch) -> JudgementQuerySet:
    return Judgement.objects.counted().filter(
        assignment__item__batch=batch,
        assignment__item__n_wanted__isnull=False,  # neither control items nor repeats
        assignment__item__is_excluded=False,
    )


def first_answers(batch: Batch) -> Iterator[FirstAnswer]:
    """Yield the answers that count, of items that are not excluded, in the batch's order."""
    rows = _counted(batch).select_related("assignment__item__turn__conversation").defer(*UNREAD)
    for row in rows.order_by("assignment__item__position", "pk").iterator():
        item = row.assignment.item
        yield FirstAnswer(item.turn, item.pk, row.pk, Written.of_response(row.response))


def routed_answers(batch: Batch) -> list[FirstAnswer]:
    """Return the answers that this second round shows; [] if it is none."""
    if batch.first_round is None:
        return []
    routes = Routes(batch.routes)
    return [each for each in first_answers(batch.first_round) if each.written.is_routed(routes)]
