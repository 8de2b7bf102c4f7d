"""Taking an adjudication back, by rows that say so."""

from django.db import transaction

from accounts import permissions
from accounts.models import Role, User
from annotation.actions import verdicts
from annotation.models import (
    BatchState,
    Item,
    Retraction,
    SetAside,
    Source,
    Verdict,
)
from annotation.queries import adjudication_access, batch_clock, outcomes, verdict_freshness
from annotation.review_decisions import ReviewError
from audit import events
from stats.aggregation import consensus


@transaction.atomic
def retract(*, item: Item, by: User, seen: int | None = None) -> Verdict:
    """Take back the adjudication that the item's verdict rests on: what stood before it stands again.

    That is an earlier adjudication that nobody took back, else what a decision had set aside while its reason
    holds, else what the batch's rule makes of the item now. `seen` is the key of the verdict that the person means:
    where another one stands by now, ReviewError.
    """
    Item.objects.select_for_update().get(pk=item.pk)
    item = Item.objects.select_related("batch__study").get(pk=item.pk)
    permissions.require(by, item.batch.study, Role.ADJUDICATOR)
    if adjudication_access.waits_for(by, item):
        raise ReviewError(adjudication_access.SETTLE_FIRST)
    before = verdicts.current(item)
    if before is None or before.adjudication is None:
        raise ReviewError(f"the item {item} is not adjudicated: there is nothing to take back")
    if seen not in (None, before.pk):
        raise ReviewError("it was decided anew meanwhile: look at the item once more")
    if item.n_wanted is None:
        raise ReviewError(f"the item {item} is a control item: no rule has an ending for it")
    if item.batch.state != BatchState.CLOSED:
        raise ReviewError(f"the batch {item.batch.name} is {item.batch.state}: close it first")
    if item.assignments.filter(annotator=by).exists():
        raise ReviewError(f"{by.username} was handed the item {item}: somebody else takes it back")
    at = batch_clock.now(item.batch)
    Retraction.objects.create(adjudication=before.adjudication, retracted_at=at, retracted_by=by)
    events.record(study=item.batch.study, by=by, verb="took back", target=item, label=before.label)
    earlier = item.adjudications.standing().last()
    if earlier is not None:
        return verdicts.decide_by_adjudication(earlier, at=at)
    again = _as_before(item)
    again.decided_at, again.decided_by, again.replaces = at, by, before
    again.save(force_insert=True)
    return again


def _as_before(item: Item) -> Verdict:
    """The row, not written yet, that says what stands without any adjudication.

    What the batch's rule of now makes of the judgements that count now: the row from before may be by
    another rule, of other votes. What a decision had set aside stays so while its reason holds; an exclusion
    does not, as it ended with the item's being adjudicated or taken in.
    """
    current = Verdict.objects.current().filter(item__batch=item.batch)
    rule = verdict_freshness.rule_of(current) or next(iter(consensus.RULES))
    # A rule may look at all of them, and at nothing of what they show.
    items = Item.objects.real().filter(batch=item.batch).only("pk")
    ending = outcomes.of(batch=item.batch, items=items, rule=rule)[item.pk]
    again = Verdict(
        item=item,
        state=ending.state,
        label=ending.label,
        set_aside_reason=ending.reason,
        source=Source.CONSENSUS,
        rule=rule,
        votes=ending.votes,
        posterior=ending.posterior,
    )
    others = item.verdicts.exclude(source=Source.ADJUDICATION)
    last = others.exclude(set_aside_reason=SetAside.EXCLUDED).last()
    if last is not None and verdict_freshness.stands_by_decision(last, ending):
        again.state, again.set_aside_reason = last.state, last.set_aside_reason
        again.source, again.rule = last.source, rule if last.rule else ""
    return again
