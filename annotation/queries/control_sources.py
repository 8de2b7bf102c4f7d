"""What control items can be made of: settled items of other batches whose label is beyond doubt."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from annotation.design.control_choice import Settled
from annotation.models import (
    Batch,
    BatchState,
    Item,
    ItemAnswer,
    Source,
    Verdict,
    VerdictState,
)
from annotation.queries import batch_progress
from sampling.models import Candidate

# A verdict by a rule rests on at least so many equal judgements.
LEAST_JUDGEMENTS = 2


@dataclass(frozen=True)
class UsableItem:
    """A settled item with the primary key of its verdict and the answer that it shows."""

    settled: Settled
    verdict: int
    candidate: Candidate


def source_batches(batch: Batch) -> list[Batch]:
    """The batches that control items of this batch can be taken from, the newest first."""
    closed = Batch.objects.counting().filter(
        study=batch.study_id, scheme=batch.scheme, state=BatchState.CLOSED, is_rehearsal=False
    )
    lines = batch_progress.batch_lines(closed.exclude(pk=batch.pk).order_by("-created_at"))
    return [line.batch for line in lines if line.is_settled]


def objection(batch: Batch, source: Batch) -> str:
    """Why no control items of the batch can be taken from the other one; "" if they can."""
    if source.pk == batch.pk:
        return f"the batch {batch.name} cannot be its own source"
    if source.study_id != batch.study_id:
        return f"the batch {source.name} is of another study"
    if source.scheme != batch.scheme:
        return f"the batch {source.name} is judged for {source.scheme}, not for {batch.scheme}"
    if source.is_rehearsal:
        return f"the batch {source.name} is a rehearsal: its labels are made up"
    if source.withdrawn_objection:
        return source.withdrawn_objection
    if source.state != BatchState.CLOSED:
        return f"the batch {source.name} is {source.state}: close and settle it first"
    (line,) = batch_progress.batch_lines([source])
    return "" if line.is_settled else f"the batch {source.name} is not settled: settle it first"


def questions_of(batch: Batch) -> set[int]:
    """The questions (keys of turns) that the batch asks about, or has a control item of."""
    asked = Candidate.objects.filter(pool=batch.pool_id).order_by()
    if batch.is_training:  # it asks about none of its pool
        asked = asked.none()
    own = Item.objects.filter(batch=batch).order_by()
    return {*asked.values_list("turn", flat=True), *own.values_list("turn", flat=True)}


def usable_items(batch: Batch, source: Batch) -> list[UsableItem]:
    """The items of the source whose verdict was unanimous or adjudicated, on other questions than the batch's."""
    decided = Verdict.objects.current().filter(state=VerdictState.DECIDED, item=OuterRef("item"))
    items = Item.objects.real().filter(batch=source, is_excluded=False)
    answers = ItemAnswer.objects.filter(Exists(decided), item__in=items).select_related(
        "item", "candidate__turn__conversation"
    )
    verdicts = {
        each.item_id: each
        for each in Verdict.objects.current().filter(item__in=items, state=VerdictState.DECIDED)
    }
    own = questions_of(batch)
    found = []
    for each in answers.order_by("item__position"):
        verdict, item = verdicts[each.item_id], each.item
        if item.turn_id not in own and _is_beyond_doubt(verdict):
            settled = Settled(item.pk, item.turn_id, item.payload_sha256, verdict.label)
            found.append(UsableItem(settled, verdict.pk, each.candidate))
    return found


def _is_beyond_doubt(verdict: Verdict) -> bool:
    """Whether it was adjudicated, or all of at least two judgements said the same."""
    if verdict.source == Source.ADJUDICATION:
        return True
    votes = {label: n for label, n in verdict.votes.items() if n}
    return set(votes) == {verdict.label} and votes[verdict.label] >= LEAST_JUDGEMENTS
