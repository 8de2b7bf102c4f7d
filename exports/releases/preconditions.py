"""Which batches a release takes, and whether they are ready for it."""

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Exists, OuterRef

from accounts.actions.locks import lock_study
from annotation import schemes
from annotation.actions import settlement
from annotation.models import Assignment, Batch, BatchState, Item, Verdict
from annotation.queries import verdict_freshness
from annotation.queries.verdict_freshness import Stamp
from corpus.models import Dataset
from exports.rows.shown_answers import of_releases, released_batches
from exports.writers.errors import ReleaseError


def ready_batches(dataset: Dataset, *, is_rehearsal: bool) -> list[Batch]:
    """The batches to release, in the order they were made. To be read in one snapshot.

    Raises ReleaseError, with the batch's name, where a batch that was begun would be left out, or one
    whose items end with a verdict is not settled as it stands.
    """
    batches = list(released_batches(dataset, is_rehearsal=is_rehearsal))
    kind = f"{'rehearsed' if is_rehearsal else 'real'} batch"
    _refuse_begun(dataset, is_rehearsal=is_rehearsal)
    if not batches:
        is_rehearsed = not is_rehearsal and released_batches(dataset, is_rehearsal=True).exists()
        hint = "; --rehearsal releases the rehearsed ones" if is_rehearsed else ""
        raise ReleaseError(f"the dataset {dataset} has no closed {kind}: nothing to release{hint}")
    _refuse_without_origin(batches, kind)
    for batch in batches:
        if schemes.get(batch.scheme).has_verdict:
            _refuse_unsettled(batch)
    return batches


def stamps(dataset: Dataset, *, is_rehearsal: bool) -> dict[str, Stamp]:
    """What was decided in each of the closed batches, by name."""
    closed = released_batches(dataset, is_rehearsal=is_rehearsal)
    return {batch.name: verdict_freshness.stamp(batch) for batch in closed}


def lock_unchanged(
    dataset: Dataset, before: Mapping[str, Stamp], *, given_up: Iterable[Batch], is_rehearsal: bool
) -> None:
    """Lock the batches until the transaction ends, and the items that are in dispute in those given up.

    Raises ReleaseError, with the batch's name, where something was decided since these stamps were taken.
    """
    lock_study(dataset.study)
    closed = released_batches(dataset, is_rehearsal=is_rehearsal)
    list(closed.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True))
    for batch in given_up:
        list(
            settlement.disputed_items(batch)
            .select_for_update(of=("self",))
            .values_list("pk", flat=True)
        )
    now = stamps(dataset, is_rehearsal=is_rehearsal)
    changed = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    if changed:
        raise ReleaseError(
            f"something was decided in the batch {', '.join(changed)} while the release was made:"
            " make it again"
        )


def _refuse_begun(dataset: Dataset, *, is_rehearsal: bool) -> None:
    """Left out, their answers would look as if nobody had been asked about them."""
    unfinished = of_releases(dataset, is_rehearsal=is_rehearsal).filter(
        state__in=[BatchState.OPEN, BatchState.PAUSED]
    )
    begun = unfinished.filter(
        Exists(Assignment.objects.filter(item__batch=OuterRef("pk")))
        | Exists(Verdict.objects.filter(item__batch=OuterRef("pk")))
    )
    names = [f"{batch.name} ({batch.state})" for batch in begun.order_by("created_at", "pk")]
    if names:
        raise ReleaseError(
            f"there is work on batches that are not closed: {', '.join(names)}."
            " Close and settle them first"
        )


def _refuse_without_origin(batches: Sequence[Batch], kind: str) -> None:
    """Faithfulness says nothing without the plausibility that it rests on."""
    names = {batch.name for batch in batches}
    for batch in batches:
        origin = batch.pool.rule.get("batch")
        if origin is not None and origin not in names:
            raise ReleaseError(
                f"the batch {batch.name} asks about answers of the batch {origin}, which is no"
                f" closed {kind}: close and settle {origin}, and rehearse both or none"
            )


def _refuse_unsettled(batch: Batch) -> None:
    settled = Verdict.objects.filter(item=OuterRef("pk"))
    if Item.objects.real().filter(~Exists(settled), batch=batch).exists():
        raise ReleaseError(f"the batch {batch.name} is closed but not settled: settle it first")
    outdated = verdict_freshness.outdated_items(batch)
    if outdated:
        raise ReleaseError(
            f"the batch {batch.name} was changed after it was settled: {len(outdated)} of its items"
            f" would end otherwise now, the first is {outdated[0]}. Settle it again"
        )
