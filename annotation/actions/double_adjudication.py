"""Double adjudication: another adjudicator, who does not see the first label, settles some items again."""

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
from annotation.queries.double_adjudication import drawable_adjudications
from annotation.review_decisions import ReviewError, cleaned_words
from audit import events
from stats import double_adjudication


@transaction.atomic
def draw(*, batch: Batch, share: float, seed: int, by: User) -> SecondDraw:
    """Ask for a second label for a share of the adjudications, drawn at random with the seed."""
    permissions.require(by, batch.study, Role.REQUESTER)
    batch = locks.locked_batch(batch.pk)
    if not 0 < share <= 1:
        raise ReviewError(f"a share is more than 0 and at most 1, not {share:g}")
    if batch.state != BatchState.CLOSED:
        raise ReviewError(f"the batch {batch.name} is {batch.state}: close it first")
    if batch.withdrawn_objection:
        raise ReviewError(batch.withdrawn_objection)
    adjudications = {each.item.position: each for each in drawable_adjudications(batch)}
    if not adjudications:
        raise ReviewError(
            "no adjudication is left to draw: none was made, or all were drawn before"
        )
    random_draw = SecondDraw.objects.create(
        batch=batch,
        share=share,
        seed=seed,
        n_adjudicated=len(adjudications),
        drawn_at=batch_clock.now(batch),
        drawn_by=by,
    )
    chosen = double_adjudication.random_draw(list(adjudications), share, seed)
    SecondAsked.objects.bulk_create(
        SecondAsked(draw=random_draw, first=adjudications[each]) for each in chosen
    )
    events.record(
        study=batch.study,
        by=by,
        verb="drew second looks",
        target=batch,
        share=share,
        seed=seed,
        n_items=len(chosen),
    )
    return random_draw


@transaction.atomic
def settle(*, item: Item, label: str, reason: str, by: User) -> SecondAdjudication:
    """Give the item a second label. Its verdict stays: the two labels are only compared."""
    Item.objects.locked().get(pk=item.pk)
    item = Item.objects.select_related("batch__study").get(pk=item.pk)
    permissions.require(by, item.batch.study, Role.ADJUDICATOR)
    reason = cleaned_words(reason)
    request = adjudication_access.requests_open_for(by, first__item=item).first()
    if request is None:
        raise ReviewError(
            "the item waits for no second label of yours: somebody gave it, or the first is your own"
        )
    labels = schemes.verdict_scheme(item.batch.scheme).labels
    if label not in labels:
        raise ReviewError(
            f"the scheme {item.batch.scheme} has no label {label}: {', '.join(labels)}"
        )
    second = SecondAdjudication.objects.create(
        asked=request,
        label=label,
        reason=reason,
        adjudicated_at=batch_clock.now(item.batch),
        adjudicated_by=by,
    )
    events.record(study=item.batch.study, by=by, verb="settled again", target=item, reason=reason)
    return second
