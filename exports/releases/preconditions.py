"""The batches of a release, and the conditions that they must meet."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet

from accounts.actions.locks import lock_study
from annotation import schemes
from annotation.actions import settlement
from annotation.models import Assignment, Batch, Item, Verdict, VerdictState
from annotation.queries import verdict_freshness
from annotation.queries.verdict_freshness import Stamp
from corpus import versions
from corpus.models import Dataset
from exports.releases.choice import Choice
from exports.rows.shown_answers import released_batches
from exports.writers.errors import ReleaseError


@dataclass(frozen=True)
class Obstacle:
    """Why a batch holds a release up, and what can be done: "is closed but not settled", "Settle it first"."""

    reason: str
    remedy: str

    def of(self, subject: str) -> str:
        """Return the sentence about the subject, such as "the batch rated", and the remedy."""
        return f"{subject} {self.reason}. {self.remedy}"


UNFINISHED = Obstacle("has work and is not closed", "Close and settle it, or leave it out")
UNSETTLED = Obstacle("is closed but not settled", "Settle it first, or leave it out")


def ready_batches(choice: Choice) -> list[Batch]:
    """The batches to release, in the order of their creation. Call it in a snapshot.

    Raises ReleaseError, with the name of the batch, if a batch with work is open and not left out
    by choice, or if a batch whose items end with a verdict is not settled or its verdicts are
    outdated.
    """
    if choice.dataset.withdrawn_objection:
        raise ReleaseError(choice.dataset.withdrawn_objection)
    batches = list(choice.batches())
    kind = f"{'rehearsed' if choice.is_rehearsal else 'real'} batch"
    _refuse_unfinished(choice)
    if not batches:
        raise ReleaseError(_nothing(choice, kind))
    _refuse_without_origin(batches, kind, choice)
    for batch in batches:
        if found := obstacle(batch):
            raise ReleaseError(found.of(f"the batch {batch.name}"))
    return batches


def obstacle(batch: Batch) -> Obstacle | None:
    """What is in the way of a closed batch; None for one that can be released."""
    if not schemes.get(batch.scheme).has_verdict:
        return None
    settled = Verdict.objects.filter(item=OuterRef("pk"))
    if Item.objects.real().filter(~Exists(settled), batch=batch).exists():
        return UNSETTLED
    return outdated(verdict_freshness.outdated_items(batch))


def outdated(items: Sequence[Item]) -> Obstacle | None:
    """Why items whose verdict is outdated hold a release up; None if there are none."""
    if not items:
        return None
    return Obstacle(
        f"was changed after it was settled: {len(items)} of its items would end otherwise now,"
        f" the first is {items[0]}",
        "Settle it again, or leave it out",
    )


def _nothing(choice: Choice, kind: str) -> str:
    dataset = choice.dataset
    if Choice(dataset, choice.is_rehearsal).batches().exists():
        return f"every closed {kind} of the dataset {dataset} is left out: nothing to release"
    is_rehearsed = not choice.is_rehearsal and released_batches(dataset, is_rehearsal=True).exists()
    hint = "; its rehearsed batches can be released, as a rehearsal" if is_rehearsed else ""
    return f"the dataset {dataset} has no closed {kind}: nothing to release{hint}"


def n_disputes(dataset: Dataset, batches: Sequence[Batch]) -> int:
    """The number of items in dispute, without those on turns that do not stand in this version."""
    disputed = Verdict.objects.current().filter(
        versions.stands(dataset, "item__turn"),
        item__batch__in=batches,
        state=VerdictState.DISPUTED,
    )
    return disputed.count()


def stamps(choice: Choice) -> dict[str, Stamp]:
    """The stamps of the closed batches by name. A stamp changes with every decision in its batch."""
    return {batch.name: verdict_freshness.stamp(batch) for batch in choice.batches()}


def lock_unchanged(
    choice: Choice, before: Mapping[str, Stamp], *, set_aside: Iterable[Batch]
) -> None:
    """Lock the closed batches, and the disputed items of `set_aside`, until the transaction ends.

    Raises ReleaseError, with the name of the batch, if something was decided since the stamps
    `before`.
    """
    lock_study(choice.dataset.study)
    list(choice.batches().select_for_update(of=("self",), no_key=True).values_list("pk", flat=True))
    for batch in set_aside:
        list(
            settlement.disputed_items(batch)
            .select_for_update(of=("self",))
            .values_list("pk", flat=True)
        )
    now = stamps(choice)
    changed = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    if changed:
        raise ReleaseError(
            f"something was decided in the batch {', '.join(changed)} while the release was made:"
            " make it again"
        )


def unfinished_with_work(choice: Choice) -> QuerySet[Batch]:
    """The open and paused batches in which somebody has begun."""
    return choice.unfinished().filter(
        Exists(Assignment.objects.filter(item__batch=OuterRef("pk")))
        | Exists(Verdict.objects.filter(item__batch=OuterRef("pk")))
    )


def _refuse_unfinished(choice: Choice) -> None:
    """Raise ReleaseError for open batches with work: a release would have their answers as not
    asked.
    """
    with_work = unfinished_with_work(choice)
    names = [f"{batch.name} ({batch.state})" for batch in with_work.order_by("created_at", "pk")]
    if names:
        raise ReleaseError(
            f"there is work on batches that are not closed: {', '.join(names)}."
            " Close and settle them first, or leave them out"
        )


def _refuse_without_origin(batches: Sequence[Batch], kind: str, choice: Choice) -> None:
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
        if origin in choice.left_out:
            raise ReleaseError(
                f"the batch {batch.name} asks about answers of the batch {origin}, which is left out:"
                f" leave {batch.name} out too, or take {origin}"
            )
        if origin is not None and origin not in names:
            raise ReleaseError(
                f"the batch {batch.name} asks about answers of the batch {origin}, which is no"
                f" closed {kind}: close and settle {origin}, and rehearse both or none"
            )
