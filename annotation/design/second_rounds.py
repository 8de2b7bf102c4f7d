"""The answers of a batch of writing, and those of them that a second round shows."""

from collections.abc import Iterator
from dataclasses import dataclass

from annotation.models import Batch, Judgement
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


def first_answers(batch: Batch) -> Iterator[FirstAnswer]:
    """Yield the answers that count, of items that are not excluded, in the batch's order."""
    judgements = Judgement.objects.counted().filter(
        assignment__item__batch=batch,
        assignment__item__n_wanted__isnull=False,  # neither control items nor repeats
        assignment__item__is_excluded=False,
    )
    rows = judgements.select_related("assignment__item__turn__conversation").order_by(
        "assignment__item__position", "pk"
    )
    for row in rows:
        item = row.assignment.item
        yield FirstAnswer(item.turn, item.pk, row.pk, Written.of_response(row.response))


def routed_answers(batch: Batch) -> list[FirstAnswer]:
    """Return the answers that this second round shows; [] if it is none."""
    if batch.first_round is None:
        return []
    routes = Routes(batch.routes)
    return [each for each in first_answers(batch.first_round) if each.written.is_routed(routes)]
