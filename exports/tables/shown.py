"""The batches of a release and the answers that their items show."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.models import Batch, BatchState, Item, ItemAnswer
from corpus.models import Dataset
from exports.tables.names import answer_id
from sampling.models import Candidate, Fate, Pool, Purpose
from sampling.selection import State


def released_batches(dataset: Dataset, *, is_rehearsal: bool) -> QuerySet[Batch]:
    """The closed batches on the data set, all real or all rehearsed, in the order they were made.

    Not in the order they were closed: who opens an old batch again does not make it the newest.
    """
    closed = Batch.objects.filter(
        pool__dataset=dataset, is_rehearsal=is_rehearsal, state=BatchState.CLOSED
    )
    return closed.select_related("study", "pool", "guideline").order_by("created_at", "pk")


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


def shown(batch: Batch) -> list[Shown]:
    answers = ItemAnswer.objects.filter(item__batch=batch).select_related(
        "item", "candidate__turn__conversation"
    )
    # What the turn was read from is long, and asked of no turn here.
    answers = answers.defer("candidate__turn__source", "candidate__turn__truth_passages")
    runs = runs_of(batch.pool)
    return [
        Shown(
            each.item, each.candidate, each.number, "|".join(sorted(runs[drawn_id(each.candidate)]))
        )
        for each in answers.order_by("item__position", "number")
    ]


def drawn_id(candidate: Candidate) -> int:
    """The candidate that was drawn from the runs: in an evidence pool, the one it was copied from."""
    return candidate.source_id or candidate.pk


def runs_of(pool: Pool) -> dict[int, set[str]]:
    """The runs that gave the very text of each drawn candidate that the pool asks about."""
    names: dict[int, set[str]] = defaultdict(set)
    for candidate_id, name in credited(pool).values_list("candidate_id", "answer__run__name"):
        if candidate_id is not None:
            names[candidate_id].add(name)
    return names


def credited(pool: Pool) -> QuerySet[Fate]:
    """The fates of the answers that were drawn as the pool's candidates."""
    drawn = Fate.objects.filter(state=State.DRAWN)
    if pool.purpose == Purpose.EVIDENCE:
        return drawn.filter(candidate__drawn_again__pool=pool)
    return drawn.filter(candidate__pool=pool)
