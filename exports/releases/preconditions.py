"""The batches of a release, and the conditions that they must meet."""

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Exists, OuterRef

from accounts.actions.locks import lock_study
from annotation import schemes
from annotation.actions import settlement
from annotation.models import Assignment, Batch, BatchState, Item, Verdict
from annotation.queries import verdict_freshness
from annotation.queries.verdict_freshness import Stamp
from corpus.models import Dataset
from exports.rows.shown_answers import releasable_batches, released_batches
from exports.writers.errors import ReleaseError


def ready_batches(dataset: Dataset, *, is_rehearsal: bool) -> list[Batch]:
    """The batches to release, in the order of their creation. Call it in a snapshot.

    Raises ReleaseError, with the name of the batch, if a batch with work would be left out, or if a
    batch whose items end with a verdict is not settled or its verdicts are outdated.
    """
    if dataset.withdrawn_objection:
        raise ReleaseError(dataset.withdrawn_objection)
    batches = list(released_batches(dataset, is_rehearsal=is_rehearsal))
    kind = f"{'rehearsed' if is_rehearsal else 'real'} batch"
    _refuse_unfinished(dataset, is_rehearsal=is_rehearsal)
    if not batches:
        is_rehearsed = not is_rehearsal and released_batches(dataset, is_rehearsal=True).exists()
        hint = "; its rehearsed batches can be released, as a rehearsal" if is_rehearsed else ""
        raise ReleaseError(f"the dataset {dataset} has no closed {kind}: nothing to release{hint}")
    _refuse_without_origin(batches, kind)
    for batch in batches:
        if schemes.get(batch.scheme).has_verdict:
            _refuse_unsettled(batch)
    return batches


def stamps(dataset: Dataset, *, is_rehearsal: bool) -> dict[str, Stamp]:
    """The stamps of the closed batches by name. A stamp changes with every decision in its batch."""
    closed = released_batches(dataset, is_rehearsal=is_rehearsal)
    return {batch.name: verdict_freshness.stamp(batch) for batch in closed}


def lock_unchanged(
    dataset: Dataset, before: Mapping[str, Stamp], *, set_aside: Iterable[Batch], is_rehearsal: bool
) -> None:
    """Lock the closed batches, and the disputed items of `set_aside`, until the transaction ends.

    Raises ReleaseError, with the name of the batch, if something was decided since the stamps
    `before`.
    """
    lock_study(dataset.study)
    closed = released_batches(dataset, is_rehearsal=is_rehearsal)
    list(closed.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True))
    for batch in set_aside:
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


def _refuse_unfinished(dataset: Dataset, *, is_rehearsal: bool) -> None:
    """Raise ReleaseError for open batches with work: a release would have their answers as not
    asked.
    """
    unfinished = releasable_batches(dataset, is_rehearsal=is_rehearsal).filter(
        state__in=[BatchState.OPEN, BatchState.PAUSED]
    )
    with_work = unfinished.filter(
        Exists(Assignment.objects.filter(item__batch=OuterRef("pk")))
        | Exists(Verdict.objects.filter(item__batch=OuterRef("pk")))
    )
    names = [f"{batch.name} ({batch.state})" for batch in with_work.order_by("created_at", "pk")]
    if names:
        raise ReleaseError(
            f"there is work on batches that are not closed: {', '.join(names)}."
            " Close and settle them first"
        )


def _refuse_without_origin(batches: Sequence[Batch], kind: str) -> None:
    """Raise ReleaseError for a faithfulness batch whose plausibility batch is not among these."""
    names = {batch.name for batch in batches}
    withdrawn = set(
        Batch.objects.filter(
            study__in={batch.study_id for batch in batches}, is_withdrawn=True
        ).values_list("name", flat=True)
    )
    for batch in batches:
        origin = batch.pool.rule.get("batch")
        if origin in withdrawn:
            raise ReleaseError(
                f"the batch {batch.name} asks about answers of the batch {origin}, which is withdrawn:"
                f" withdraw {batch.name} too, or bring {origin} back"
            )
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
