"""Which batches a release takes: all of the data set that count, without those that are left out."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.http import urlencode

from annotation.models import Batch, BatchState
from corpus.models import Dataset
from exports.rows.shown_answers import releasable_batches, released_batches
from exports.writers.errors import ReleaseError


@dataclass(frozen=True)
class Choice:
    """A data set, whether its rehearsed batches are meant, and the names of those left out."""

    dataset: Dataset
    is_rehearsal: bool = False
    left_out: tuple[str, ...] = ()

    def offered(self) -> QuerySet[Batch]:
        """The batches to choose from, open ones too, in the order of their creation."""
        batches = releasable_batches(self.dataset, is_rehearsal=self.is_rehearsal)
        return batches.exclude(state=BatchState.DRAFT).order_by("created_at", "pk")

    def batches(self) -> QuerySet[Batch]:
        """The closed batches that are not left out."""
        return released_batches(
            self.dataset, is_rehearsal=self.is_rehearsal, left_out=self.left_out
        )

    def unfinished(self) -> QuerySet[Batch]:
        """The batches that would be taken if they were closed."""
        batches = releasable_batches(
            self.dataset, is_rehearsal=self.is_rehearsal, left_out=self.left_out
        )
        return batches.filter(state__in=[BatchState.OPEN, BatchState.PAUSED])

    def left_out_entries(self) -> list[dict[str, Any]]:
        """What the manifest says of the batches left out, sorted by name."""
        found = self.offered().filter(name__in=self.left_out)
        entries = [
            {"name": each.name, "scheme": each.scheme, "state": str(each.state)} for each in found
        ]
        return sorted(entries, key=lambda entry: entry["name"])

    @property
    def address(self) -> str:
        """The query of the address of the page of a new release with this choice."""
        rehearsal = [("is_rehearsal", "on")] if self.is_rehearsal else []
        left_out = [("without", name) for name in self.left_out]
        return urlencode([("dataset", str(self.dataset.pk)), *rehearsal, *left_out])


def choice_of_names(
    dataset: Dataset,
    *,
    is_rehearsal: bool,
    only: Collection[str] = (),
    without: Collection[str] = (),
) -> Choice:
    """Return the choice of the batches named `only` (all where there are none) but for those named `without`.

    Raises ReleaseError for a name that no release of the data set could take.
    """
    whole = Choice(dataset, is_rehearsal)
    names = [batch.name for batch in whole.offered()]
    _refuse_unknown({*only, *without} - set(names), whole)
    left_out = [name for name in names if name in without or (only and name not in only)]
    return Choice(dataset, is_rehearsal, tuple(left_out))


def _refuse_unknown(names: Iterable[str], choice: Choice) -> None:
    if unknown := sorted(names):
        kind = "rehearsed" if choice.is_rehearsal else "real"
        raise ReleaseError(
            f"the data set {choice.dataset} has no {kind} batch {', '.join(unknown)} that a release"
            " could take: drafts, withdrawn batches and batches that compare runs are in none"
        )
