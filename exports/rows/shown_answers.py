"""The batches of a release and the answers that their items show."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.models import Batch, BatchState, Item, ItemAnswer
from corpus.models import Dataset
from exports.rows.ids import answer_id
from sampling.models import Candidate, Fate, Pool, Purpose
from sampling.pools.selection import State


def released_batches(dataset: Dataset, *, is_rehearsal: bool) -> QuerySet[Batch]:
    """The closed batches on the data set, all real or all rehearsed, in the order they were made,
    without those on comparisons: what is said there adds no answer to a data set.

    Not in the order they were closed: who opens an old batch again does not make it the newest.
    """
    closed = of_releases(dataset, is_rehearsal=is_rehearsal).filter(state=BatchState.CLOSED)
    return closed.select_related("study", "pool", "guideline").order_by("created_at", "pk")


def of_releases(dataset: Dataset, *, is_rehearsal: bool) -> QuerySet[Batch]:
    """The batches that a release takes once they are closed."""
    batches = Batch.objects.filter(pool__dataset=dataset, is_rehearsal=is_rehearsal)
    return batches.exclude(pool__purpose=Purpose.COMPARISON)


@dataclass(frozen=True)
class Shown:
    """An answer that an item shows, with what the tables say of it everywhere."""

    item: Item
    candidate: Candidate
    number: int
    runs: str

    @property
    def turn(self) -> str:
        return self.candidate.turn.key

    @property
    def id(self) -> str:
        return answer_id(self.turn, self.candidate.text_sha256)


def shown(batch: Batch, *, items: Collection[int] | None = None) -> list[Shown]:
    """What all items of the batch show, or these of them, by their keys."""
    answers = ItemAnswer.objects.filter(item__batch=batch).select_related(
        "item", "candidate__turn__conversation"
    )
    if items is not None:
        answers = answers.filter(item__in=items)
    # What the turn was read from is long, and asked of no turn here.
    answers = answers.defer("candidate__turn__source", "candidate__turn__truth_passages")
    answers = answers.order_by("item__position", "number")
    runs = runs_of(batch.pool, None if items is None else [each.candidate for each in answers])
    return [
        Shown(
            each.item, each.candidate, each.number, "|".join(sorted(runs[drawn_id(each.candidate)]))
        )
        for each in answers
    ]


def drawn_id(candidate: Candidate) -> int:
    """The candidate that was drawn from the runs: in an evidence pool, the one it was copied from."""
    return candidate.source_id or candidate.pk


def runs_of(pool: Pool, candidates: Iterable[Candidate] | None = None) -> dict[int, set[str]]:
    """The runs that gave the very text of each drawn candidate that the pool asks about, or of these."""
    names: dict[int, set[str]] = defaultdict(set)
    fates = credited(pool)
    if candidates is not None:
        fates = fates.filter(candidate__in={drawn_id(each) for each in candidates})
    for candidate_id, name in fates.values_list("candidate_id", "answer__run__name"):
        if candidate_id is not None:
            names[candidate_id].add(name)
    return names


def credited(pool: Pool) -> QuerySet[Fate]:
    """The fates of the answers that were drawn as the pool's candidates."""
    drawn = Fate.objects.filter(state=State.DRAWN)
    if pool.purpose == Purpose.EVIDENCE:
        return drawn.filter(candidate__drawn_again__pool=pool)
    return drawn.filter(candidate__pool=pool)
