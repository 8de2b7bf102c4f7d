"""Retraction of adjudications."""

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
    """Retract the adjudication that the item's verdict rests on, and return the verdict that replaces it.

    That verdict is the latest adjudication not retracted; else that of a decision to set the item aside whose
    reason still holds; else the outcome of the batch's rule now. `seen` is the key of the verdict that the person
    means: ReviewError if another one is current by now.
    """
    Item.objects.locked().get(pk=item.pk)
    item = Item.objects.select_related("batch__study").get(pk=item.pk)
    permissions.require(by, item.batch.study, Role.ADJUDICATOR)
    if adjudication_access.must_not_see(by, item):
        raise ReviewError(adjudication_access.SETTLE_FIRST)
    before = verdicts.current_verdict(item)
    if before is None or before.adjudication is None:
        raise ReviewError(f"the item {item} is not adjudicated: there is nothing to take back")
    if seen not in (None, before.pk):
        raise ReviewError("it was decided again meanwhile: reload the page of the item")
    if item.n_wanted is None:
        raise ReviewError(f"the item {item} is a control item: no rule has an ending for it")
    if item.batch.state != BatchState.CLOSED:
        raise ReviewError(f"the batch {item.batch.name} is {item.batch.state}: close it first")
    if item.batch.withdrawn_objection:
        raise ReviewError(item.batch.withdrawn_objection)
    if item.assignments.filter(annotator=by).exists():
        raise ReviewError(
            f"{by.username} was assigned the item {item}: somebody else has to undo it"
        )
    at = batch_clock.now(item.batch)
    Retraction.objects.create(adjudication=before.adjudication, retracted_at=at, retracted_by=by)
    events.record(study=item.batch.study, by=by, verb="took back", target=item, label=before.label)
    earlier = item.adjudications.not_retracted().last()
    if earlier is not None:
        return verdicts.decide_by_adjudication(earlier, at=at)
    restored = _verdict_without_adjudication(item)
    restored.decided_at, restored.decided_by, restored.replaces = at, by, before
    restored.save(force_insert=True)
    return restored


def _verdict_without_adjudication(item: Item) -> Verdict:
    """The item's verdict, not saved, without any adjudication.

    Computed with the batch's last rule from the judgements that count now: the row from before may be by another
    rule or from other votes. A decision to set the item aside holds while its reason does; an exclusion
    does not, as it ended when the item was adjudicated or readmitted.
    """
    current = Verdict.objects.current().filter(item__batch=item.batch)
    rule = verdict_freshness.last_rule(current) or next(iter(consensus.RULES))
    # A rule may need the votes on all items, but nothing of what they show.
    items = Item.objects.real().filter(batch=item.batch).only("pk")
    ending = outcomes.outcomes_of(batch=item.batch, items=items, rule=rule)[item.pk]
    verdict = Verdict(
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
    if last is not None and verdict_freshness.decision_holds(last, ending):
        verdict.state, verdict.set_aside_reason = last.state, last.set_aside_reason
        verdict.source, verdict.rule = last.source, rule if last.rule else ""
    return verdict
