"""Draw a second round of written answers: a batch in which another person keeps or changes each.

docs/adr/0071-written-answers-and-curation.md is the design.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.models import Role, User
from annotation.actions import batches, items, reviews
from annotation.actions.batches import BatchError
from annotation.design import screens, second_rounds
from annotation.models import Batch, BatchState, Item, Judgement
from annotation.queries.second_rounds import current_rounds, first_round_objection
from annotation.schemes import routing
from annotation.schemes.routing import Counts, Routes
from audit import events

# What a second round takes over from the first, as it begins.
SETTINGS = (
    *("claim_seconds", "prefetch_depth", "skip_reasons", "grouping", "shows_context"),
    *("shows_markdown", "reward", "currency", "expected_seconds", "qualification"),
)
TAKEN_BACK = "its answer was withdrawn by who wrote it in the first round"
NOT_COUNTED = "its answer is not counted any more in the first round"
EXCLUDED = "its item was excluded in the first round"


@dataclass(frozen=True)
class Drawn:
    """The second round, with the answers of the first as `counts`.

    A draft gets its items when it is opened; `n_added` and `n_excluded` are items of one that is open.
    """

    batch: Batch
    counts: Counts
    is_new: bool
    n_added: int = 0
    n_excluded: int = 0


@transaction.atomic
def draw(*, first: Batch, name: str, routes: Routes, by: User, seed: int | None = None) -> Drawn:
    """Create a draft that shows the routed answers of the closed batch; or, if the batch of this name is its second
    round, bring that up to date: it gets the answers that are new, and those that no longer count are excluded.

    Raises BatchError, ReviewError, and ValidationError for an invalid name.
    """
    permissions.require(by, first.study, Role.REQUESTER)
    lock_study(first.study)
    locked = batches.locked_in_state(first, BatchState.CLOSED)
    if objection := first_round_objection(locked):
        raise BatchError(objection)
    counts = routing.counts(second_rounds.written(locked), routes)
    there = locked.study.batches.filter(name=name).first()
    if there is None:
        batch = _create(locked, name, routes, counts, by, seed=1 if seed is None else seed)
        return Drawn(batch, counts, is_new=True)
    _require_same(there, locked, routes, seed)
    n_added, n_excluded = _bring_up_to_date(there, by)
    return Drawn(there, counts, is_new=False, n_added=n_added, n_excluded=n_excluded)


def _create(
    first: Batch, name: str, routes: Routes, counts: Counts, by: User, *, seed: int
) -> Batch:
    if other := current_rounds(first).first():
        raise BatchError(
            f"the batch {first.name} has a second round already, {other.name}: give its name to add what is new"
        )
    if not counts.n_routed:
        raise BatchError(
            f"no answer of the batch {first.name} is routed: {counts.n_written} were written, and none is of the kind"
            f" {routes.value}"
        )
    settings: dict[str, Any] = {field: getattr(first, field) for field in SETTINGS}
    batch = batches.create(
        study=first.study,
        name=name,
        scheme=first.scheme,
        pool=first.pool,
        guideline=first.guideline.text,
        first_round=first,
        routes=routes.value,
        judgements_per_item=1,
        seed=seed,
        by=by,
        **settings,
    )
    _record(batch, by, n_items=counts.n_routed, n_excluded=0)
    return batch


def _require_same(batch: Batch, first: Batch, routes: Routes, seed: int | None) -> None:
    """Raise BatchError unless the batch is the second round of the other one, with these routes and this seed."""
    if batch.first_round_id != first.pk:
        raise BatchError(
            f"there is a batch {batch.name} already, and it is no second round of {first.name}: choose another name"
        )
    if batch.routes != routes:
        raise BatchError(
            f"the batch {batch.name} shows the answers of the kind {batch.routes}, not {routes.value}: ask for the same"
        )
    if seed not in (None, batch.seed):
        raise BatchError(f"the batch {batch.name} has the seed {batch.seed}, not {seed}")


def _bring_up_to_date(batch: Batch, by: User) -> tuple[int, int]:
    """Add the items that an open or paused batch lacks, exclude those whose answer no longer counts; the numbers of
    both.
    """
    locked = batches.locked_in_state(batch, BatchState.DRAFT, BatchState.OPEN, BatchState.PAUSED)
    if locked.state == BatchState.DRAFT:
        return 0, 0
    routed = screens.batch_screens(locked)
    own = Item.objects.real().filter(batch=locked)
    there = set(own.values_list("rewrites", flat=True))
    new = [screen for screen in routed if screen.rewrites not in there]
    items.add_items(locked, new)
    n_excluded = _exclude_gone(locked, {screen.rewrites for screen in routed}, by)
    if new:
        locked.most_per_person = batches.most_per_person(locked.largest_share, own.count())
        locked.save(update_fields=["most_per_person"])
    if new or n_excluded:
        _record(locked, by, n_items=len(new), n_excluded=n_excluded)
    return len(new), n_excluded


def _exclude_gone(batch: Batch, routed: Collection[int | None], by: User) -> int:
    """Exclude the items whose answer is not among the routed ones, given by their judgements; their number."""
    own = Item.objects.real().filter(batch=batch, is_excluded=False).order_by("position")
    gone = [
        item
        for item in own.select_related("batch__study", "came_from")
        if item.rewrites_id not in routed
    ]
    judgements = Judgement.objects.filter(rewritten_in__in=gone)
    standing = set(judgements.not_withdrawn().values_list("pk", flat=True))
    for item in gone:
        if item.rewrites_id not in standing:
            reason = TAKEN_BACK
        elif item.came_from is not None and item.came_from.is_excluded:
            reason = EXCLUDED
        else:
            reason = NOT_COUNTED
        reviews.exclude(item=item, reason=reason, by=by)
    return len(gone)


def _record(batch: Batch, by: User, *, n_items: int, n_excluded: int) -> None:
    events.record(
        study=batch.study,
        by=by,
        verb="routed answers to",
        target=batch,
        first_round=batch.first_round.name if batch.first_round else "",
        n_items=n_items,
        n_excluded=n_excluded,
    )


def summary(drawn: Drawn) -> dict[str, Any]:
    """The summary of a second round for commands."""
    counts = drawn.counts
    return {
        "batch": drawn.batch.name,
        "state": drawn.batch.state,
        "written": counts.n_written,
        "routed": counts.n_routed,
        "one_sentence": counts.n_one_sentence,
        "consecutive": counts.n_consecutive,
        "unanswerable": counts.n_unanswerable,
        "skipped": counts.n_skipped,
        "added": drawn.n_added,
        "excluded": drawn.n_excluded,
    }
