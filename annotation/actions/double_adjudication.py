"""A share of a batch's adjudications is settled a second time, by an adjudicator who did not see the first."""

from django.db import transaction

from accounts import permissions
from accounts.models import Role, User
from annotation import schemes
from annotation.actions import locks
from annotation.models import (
    Batch,
    BatchState,
    Item,
    SecondAdjudication,
    SecondAsked,
    SecondDraw,
)
from annotation.queries import adjudication_access, batch_clock
from annotation.queries.double_adjudication import adjudicated
from annotation.review_decisions import ReviewError, cleaned_words
from audit import events
from stats import double_adjudication


@transaction.atomic
def draw(*, batch: Batch, share: float, seed: int, by: User) -> SecondDraw:
    """Ask for a second settlement of a share of the adjudications, drawn by lot from the seed."""
    permissions.require(by, batch.study, Role.REQUESTER)
    batch = locks.batch(batch.pk)
    if not 0 < share <= 1:
        raise ReviewError(f"a share is more than 0 and at most 1, not {share:g}")
    if batch.state != BatchState.CLOSED:
        raise ReviewError(f"the batch {batch.name} is {batch.state}: close it first")
    first = {each.item.position: each for each in adjudicated(batch)}
    if not first:
        raise ReviewError(
            "no adjudication is left to draw: none was made, or all were drawn before"
        )
    made = SecondDraw.objects.create(
        batch=batch,
        share=share,
        seed=seed,
        n_adjudicated=len(first),
        drawn_at=batch_clock.now(batch),
        drawn_by=by,
    )
    chosen = double_adjudication.random_draw(list(first), share, seed)
    SecondAsked.objects.bulk_create(SecondAsked(draw=made, first=first[each]) for each in chosen)
    events.record(
        study=batch.study,
        by=by,
        verb="drew second looks",
        target=batch,
        share=share,
        seed=seed,
        n_items=len(chosen),
    )
    return made


@transaction.atomic
def settle(*, item: Item, label: str, reason: str, by: User) -> SecondAdjudication:
    """Give the item a label a second time. Its verdict stays: the two are only compared."""
    Item.objects.select_for_update().get(pk=item.pk)
    item = Item.objects.select_related("batch__study").get(pk=item.pk)
    permissions.require(by, item.batch.study, Role.ADJUDICATOR)
    reason = cleaned_words(reason)
    asked = adjudication_access.open_for(by, first__item=item).first()
    if asked is None:
        raise ReviewError(
            "the item waits for no second label of yours: somebody gave it, or the first is your own"
        )
    labels = schemes.deciding(item.batch.scheme).labels
    if label not in labels:
        raise ReviewError(
            f"the scheme {item.batch.scheme} has no label {label}: {', '.join(labels)}"
        )
    second = SecondAdjudication.objects.create(
        asked=asked,
        label=label,
        reason=reason,
        adjudicated_at=batch_clock.now(item.batch),
        adjudicated_by=by,
    )
    events.record(study=item.batch.study, by=by, verb="settled again", target=item, reason=reason)
    return second
