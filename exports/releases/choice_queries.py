"""The batches that the page of a new release offers, and why a release of the choice lacks one."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count

from annotation import schemes
from annotation.models import Batch, BatchState, Item
from annotation.queries import verdict_freshness
from annotation.queries.verdict_counts import VerdictCounts, verdict_counts
from exports.releases.choice import Choice
from exports.releases.preconditions import UNFINISHED, obstacle, outdated, unfinished_with_work
from exports.rows.shown_answers import batches_on


@dataclass(frozen=True)
class ChoiceLine:
    """A batch of a scheme that releases take. `absence` says why the release lacks it; "" if it has it."""

    batch: Batch
    n_items: int
    verdicts: VerdictCounts
    is_offered: bool
    absence: str = ""

    @property
    def has_verdict(self) -> bool:
        return schemes.get(self.batch.scheme).has_verdict

    @property
    def is_settled(self) -> bool:
        return is_settled(self.batch, self.n_items, self.verdicts)


def is_settled(batch: Batch, n_items: int, verdicts: VerdictCounts) -> bool:
    return batch.state == BatchState.CLOSED and 0 < n_items == verdicts.n


def choice_lines(batches: Iterable[Batch], choice: Choice) -> list[ChoiceLine]:
    """Return the lines of those among the batches that are of such a scheme, in their order."""
    released = [batch for batch in batches if schemes.get(batch.scheme).is_released]
    n_items, verdicts = _n_items(released), verdict_counts([batch.pk for batch in released])
    offered = set(choice.offered().values_list("pk", flat=True))
    absences = _of_choice(released, choice)
    possible = [batch for batch in released if not absences[batch.pk]]
    settled = [each for each in possible if is_settled(each, n_items[each.pk], verdicts[each.pk])]
    # To look at each outcome again takes long: the release does it, the page where something was decided since.
    changed = verdict_freshness.outdated_touched_items_of_settled(settled, verdicts)
    for batch in possible:
        found = outdated(changed[batch.pk]) if batch.pk in changed else obstacle(batch)
        absences[batch.pk] = f"no release yet: {found.of('it')}" if found else ""
    return [
        ChoiceLine(
            batch, n_items[batch.pk], verdicts[batch.pk], batch.pk in offered, absences[batch.pk]
        )
        for batch in released
    ]


def _n_items(batches: Collection[Batch]) -> Mapping[int, int]:
    items = Item.objects.real().filter(batch__in=batches).order_by().values_list("batch")
    return dict.fromkeys((batch.pk for batch in batches), 0) | dict(items.annotate(n=Count("pk")))


def _of_choice(batches: Collection[Batch], choice: Choice) -> dict[int, str]:
    """Return by batch why the choice has it not, or not yet; "" for a closed batch that it has."""
    # Also those on versions that the data set continues.
    asked = set(batches_on(choice.dataset, Batch.objects.counting()).values_list("pk", flat=True))
    are_closed = all(batch.state in (BatchState.DRAFT, BatchState.CLOSED) for batch in batches)
    unfinished = () if are_closed else unfinished_with_work(choice).values_list("pk", flat=True)
    begun = set(unfinished)
    return {batch.pk: _absence(batch, choice, asked, begun) for batch in batches}


def _absence(batch: Batch, choice: Choice, asked: Collection[int], begun: Collection[int]) -> str:
    """`asked` are the batches about the version of the choice; `begun` those that are open with work in them."""
    if batch.pk not in asked:
        return "no: on another data set"
    if batch.is_rehearsal != choice.is_rehearsal:
        return "no: rehearsed" if batch.is_rehearsal else "no: not rehearsed"
    if batch.name in choice.left_out:
        return "no: left out"
    if batch.pk in begun:
        return f"no release yet: {UNFINISHED.of('it')}"
    if batch.state != BatchState.CLOSED:
        return "no: not closed, and nobody has begun"
    return ""
