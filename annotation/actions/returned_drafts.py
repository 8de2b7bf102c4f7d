"""A batch that was opened and in which nobody has done anything becomes a draft again."""

from datetime import datetime

from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from accounts import permissions
from accounts.models import Role, User
from annotation.actions import batches
from annotation.actions.batches import BatchError
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    Cursor,
    GuidelineVersion,
    Item,
    ItemAnswer,
    ItemPassage,
    Judgement,
    Key,
    Reservation,
    SetAside,
    Verdict,
)
from audit import events

UNCOUNTED = (
    *("position", "round", "furthest", "n_taken", "n_controls", "run_from"),
    *("n_waiting", "n_part"),
)
# A cursor of which nothing was handed out yet.
UNMOVED: dict[str, int | None] = {
    **dict.fromkeys(UNCOUNTED, 0),
    "last_turn": None,
}


class HeldItemsError(BatchError):
    """People hold items of the batch."""


@transaction.atomic
def return_to_draft(*, batch: Batch, by: User, expire_claims: bool = False) -> Batch:
    """Remove the items and the claims on them: opening the draft again makes new ones.

    Raises BatchError if anybody judged, skipped, flagged or decided anything in it, and HeldItemsError if
    somebody holds an item, unless `expire_claims`: what they have judged and not sent is lost then.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    locked = batches.locked_in_state(batch, BatchState.OPEN, BatchState.PAUSED, BatchState.CLOSED)
    if locked.withdrawn_objection:
        raise BatchError(locked.withdrawn_objection)
    _lock_claims_and_items(locked)
    refusal = objection(locked)
    if refusal:
        raise BatchError(refusal)
    n_held = held_claims(locked, timezone.now()).count()
    if n_held and not expire_claims:
        claims = "1 item is" if n_held == 1 else f"{n_held} items are"
        raise HeldItemsError(f"{claims} assigned: wait until their time is over")
    n_items = _remove_items(locked)
    locked.state, locked.closed_at, locked.closed_by = BatchState.DRAFT, None, None
    locked.most_per_person, locked.guideline_since, locked.first_name = None, None, ""
    locked.save()
    events.record(
        study=locked.study,
        by=by,
        verb="returned to draft",
        target=locked,
        n_items=n_items,
        n_claims=n_held,
    )
    return locked


def objection(batch: Batch) -> str:
    """Why the batch cannot become a draft again; "" if nobody did anything in it."""
    items = Item.objects.filter(batch=batch)
    assignments = Assignment.objects.filter(item__batch=batch)
    if Judgement.objects.filter(assignment__in=assignments).exists():
        return "the batch has judgements: withdraw it, or change what can be changed"
    if batch.check_attempts.exists():
        return "somebody answered the questions on its guideline: withdraw it, or change what can be changed"
    begun = assignments.filter(Q(state=AssignmentState.SKIPPED) | Q(first_part__isnull=False))
    other_verdicts = Verdict.objects.filter(item__in=items).exclude(
        set_aside_reason=SetAside.NO_EVIDENCE
    )
    if begun.exists() or other_verdicts.exists() or _is_referred_to(items, assignments):
        return (
            "somebody skipped or flagged an item of the batch, or decided something in it: withdraw it"
            " instead"
        )
    return ""


def _is_referred_to(items: QuerySet[Item], assignments: QuerySet[Assignment]) -> bool:
    """Whether a row of another kind than those that opening and claims make refers to an item or a claim."""
    own: tuple[type[Model], ...] = (
        *(ItemAnswer, ItemPassage, Assignment, Verdict, Key),
        Reservation,
    )
    for rows in (items, assignments):
        for relation in rows.model._meta.related_objects:
            if relation.related_model in own:
                continue
            model: type[Model] = relation.related_model
            if model._base_manager.filter(**{f"{relation.field.name}__in": rows}).exists():
                return True
    return False


def held_claims(batch: Batch, now: datetime) -> QuerySet[Assignment]:
    return Assignment.objects.claimed().filter(item__batch=batch, expires_at__gte=now)


def _lock_claims_and_items(batch: Batch) -> None:
    """Wait for claims and submissions under way. Cursors, assignments, items: in the order in which these lock them.

    Raises BatchError for a claim that was made meanwhile: it is not locked.
    """
    list(Cursor.objects.filter(batch=batch).order_by("pk").select_for_update().values_list("pk"))
    assignments = Assignment.objects.filter(item__batch=batch).order_by("item__position", "pk")
    locked = list(assignments.select_for_update(of=("self",)).values_list("pk", flat=True))
    items = Item.objects.filter(batch=batch).order_by("position")
    list(items.select_for_update().values_list("pk", flat=True))
    if assignments.count() != len(locked):
        raise BatchError("an item was just assigned to somebody: reload the page")


def _remove_items(batch: Batch) -> int:
    """Delete the items, the claims, what is reserved and how far people came. Control items stay, and a cursor that says that somebody
    is paused.
    """
    items = Item.objects.real().filter(batch=batch)
    n_items = items.count()
    for rows in (
        ItemAnswer.objects.filter(item__batch=batch),
        ItemPassage.objects.filter(item__batch=batch),
        Verdict.objects.filter(item__batch=batch),
        Assignment.objects.filter(item__batch=batch),
        Reservation.objects.filter(batch=batch),
        items,
        Cursor.objects.filter(batch=batch, is_paused=False),
        GuidelineVersion.objects.filter(batch=batch),
    ):
        rows.delete()
    Cursor.objects.filter(batch=batch).update(**UNMOVED)
    return n_items
