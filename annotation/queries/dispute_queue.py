"""The queue of disputes of a study for an adjudicator, and how many of them are settled."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count

from accounts.models import Study, User
from annotation.models import Assignment, Batch, Item, Verdict, VerdictState
from annotation.queries import adjudication_access, dispute_order


@dataclass(frozen=True)
class DisputedItem:
    """An item in dispute: its votes by label, and whether the reader was handed it."""

    item: Item
    batch: Batch
    votes: dict[str, int]
    is_own: bool


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """An entry of the queue: the keys of the verdict, its item and its batch."""

    verdict: int
    item: int
    batch: int


def dispute_queue(study: Study, reader: User) -> list[QueueEntry]:
    """The study's items in dispute in the order of annotation.queries.dispute_order.

    Equally disputed items are in the order of their batches, then of the batch. Items that are hidden from the
    reader are left out.
    """
    current = Verdict.objects.current().filter(
        item__batch__in=study.batches.counting(), state=VerdictState.DISPUTED
    )
    current = current.exclude(
        item__in=adjudication_access.items_hidden_from(reader, study).values("pk")
    )
    rows = current.order_by("item__batch__created_at", "item__batch_id", "item__position")
    columns = rows.values_list("pk", "item_id", "item__batch_id", "item__turn_id", "votes")
    return dispute_order.in_order(
        dispute_order.Dispute(QueueEntry(verdict, item, batch), (batch, turn), votes, place)
        for place, (verdict, item, batch, turn, votes) in enumerate(columns)
    )


def set_aside_counts(study: Study, reader: User) -> list[tuple[int, str, int]]:
    """The keys and names of the batches with items that are set aside, and how many the reader may see."""
    current = Verdict.objects.current().filter(
        item__batch__in=study.batches.counting(), state=VerdictState.SET_ASIDE
    )
    current = current.exclude(
        item__in=adjudication_access.items_hidden_from(reader, study).values("pk")
    )
    by_batch = current.order_by("item__batch__name").values_list("item__batch", "item__batch__name")
    return list(by_batch.annotate(n=Count("pk")))


def disputed_items(entries: Sequence[QueueEntry], reader: User) -> list[DisputedItem]:
    """The items of these entries, in their order."""
    rows = Verdict.objects.filter(pk__in=[entry.verdict for entry in entries])
    verdicts = {row.pk: row for row in rows.select_related("item__batch")}
    handed = Assignment.objects.filter(annotator=reader, item__in=[each.item for each in entries])
    own = set(handed.values_list("item_id", flat=True))
    ordered = [verdicts[entry.verdict] for entry in entries if entry.verdict in verdicts]
    return [
        DisputedItem(each.item, each.item.batch, each.votes, each.item_id in own)
        for each in ordered
    ]


def next_dispute(study: Study, reader: User) -> Item | None:
    """The first item in the queue that the reader was not handed."""
    handed = Assignment.objects.filter(item__batch__study=study, annotator=reader)
    own = set(handed.values_list("item_id", flat=True))
    queue = dispute_queue(study, reader)
    first = next((entry.item for entry in queue if entry.item not in own), None)
    return None if first is None else Item.objects.get(pk=first)


@dataclass(frozen=True)
class DisputeProgress:
    """The numbers of items, of a study or a batch, that are in dispute now, and that ever were."""

    n_left: int
    n_all: int

    @property
    def n_decided(self) -> int:
        return self.n_all - self.n_left

    @property
    def number(self) -> int:
        """The number of the next dispute, from 1."""
        return self.n_decided + 1


def dispute_progress(study: Study, batch: Batch | None = None) -> DisputeProgress:
    """The progress in the study, or in one batch of it."""
    batches = study.batches.counting()
    if batch is not None:
        batches = batches.filter(pk=batch.pk)
    disputed = Verdict.objects.filter(item__batch__in=batches, state=VerdictState.DISPUTED)
    return DisputeProgress(
        n_left=disputed.current().count(),
        n_all=disputed.order_by().values("item").distinct().count(),
    )
