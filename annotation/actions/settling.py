"""From judgements to verdicts: what a batch's items end with under a rule."""

from collections import defaultdict
from dataclasses import asdict, dataclass
from datetime import datetime

from django.db import transaction

from accounts.models import Membership, Role, User
from activity.actions import events
from annotation import consensus, schemes
from annotation.actions import claiming, clock, verdicts
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    Exclusion,
    Item,
    Judgement,
    SetAside,
    Source,
    Verdict,
    VerdictState,
)


class SettleError(Exception):
    """The batch cannot be settled now; the message says why and what to do."""


@dataclass(frozen=True)
class Settled:
    """How many items of the batch are in each state now, and what this settling changed."""

    n_items: int
    n_decided: int
    n_disputed: int
    n_set_aside: int
    n_adjudicated: int
    n_new: int
    n_superseded: int


@dataclass(frozen=True)
class Ending:
    """What the rule makes of one item."""

    state: VerdictState
    label: str
    reason: str
    votes: dict[str, int]


@transaction.atomic
def settle(*, batch: Batch, rule: str, by: User, expire_claims: bool = False) -> Settled:
    """Give every item of a closed batch its ending by the rule (a name in consensus.RULES).

    Adjudications stay. Items whose ending is what it was, by the same rule and the same votes, get no
    new row: settling twice adds nothing. Raises SettleError while the batch or a claim is open.
    """
    if rule not in consensus.RULES:
        raise SettleError(f"there is no rule {rule}: {', '.join(sorted(consensus.RULES))}")
    batch = Batch.objects.select_for_update(of=("self",)).select_related("study").get(pk=batch.pk)
    if batch.state != BatchState.CLOSED:
        raise SettleError(f"the batch {batch.name} is {batch.state}: close it first")
    # The items are locked: a submission under way is waited for, a later one is surplus.
    items = list(Item.objects.real().filter(batch=batch).select_for_update())
    _end_claims(batch, expire_claims)
    current = {verdict.item_id: verdict for verdict in _current(batch)}
    endings = _endings(batch, items, rule)
    changed = [item for item in items if _changes(current.get(item.pk), endings[item.pk], rule)]
    rows = _rows(changed, endings, current, rule, by, clock.now(batch))
    Verdict.objects.bulk_create(rows)
    n_superseded = sum(row.replaces_id is not None for row in rows)
    settled = _counts(batch, len(items), n_new=len(rows), n_superseded=n_superseded)
    events.record(
        study=batch.study, by=by, verb="settled", target=batch, rule=rule, **asdict(settled)
    )
    return settled


def _end_claims(batch: Batch, expire_claims: bool) -> None:
    claiming.expire_lapsed(batch=batch, now=clock.now(batch))
    if expire_claims:
        claiming.expire_all(batch=batch)
    n_open = Assignment.objects.claimed().filter(item__batch=batch).count()
    if n_open:
        raise SettleError(
            f"{n_open} claims of the batch {batch.name} are still open:"
            " wait until they expire, or expire them now with --expire-claims"
        )


def _current(batch: Batch) -> list[Verdict]:
    return list(Verdict.objects.current().filter(item__batch=batch))


def _endings(batch: Batch, items: list[Item], rule: str) -> dict[int, Ending]:
    votes = counted_votes(batch)
    outcomes = consensus.RULES[rule]({item.pk: votes[item.pk] for item in items})
    excluded = set(
        Exclusion.objects.filter(item__batch=batch, replaced_by=None, is_excluded=True).values_list(
            "item_id", flat=True
        )
    )
    skipped = _skipped_by_all(batch)
    return {
        item.pk: _ending(outcomes[item.pk], item.pk in excluded, item.pk in skipped)
        for item in items
    }


def counted_votes(batch: Batch) -> dict[int, dict[str, str]]:
    """What counts of each item: who said which label."""
    scheme = schemes.get(batch.scheme)
    counted = Judgement.objects.counted().filter(assignment__item__batch=batch)
    votes: dict[int, dict[str, str]] = defaultdict(dict)
    said = counted.values_list("assignment__item_id", "assignment__annotator_id", "response")
    for item_id, annotator_id, response in said:
        votes[item_id][str(annotator_id)] = scheme.label(response)
    return votes


def _skipped_by_all(batch: Batch) -> set[int]:
    """Items that every annotator of the study skipped."""
    desks = Membership.objects.filter(study=batch.study, user__is_simulated=batch.is_rehearsal)
    qualified = set(desks.holding(Role.ANNOTATOR).values_list("user_id", flat=True))
    if not qualified:
        return set()
    skips = Assignment.objects.filter(item__batch=batch, state=AssignmentState.SKIPPED)
    who: dict[int, set[int]] = defaultdict(set)
    for item_id, annotator_id in skips.values_list("item_id", "annotator_id"):
        who[item_id].add(annotator_id)
    return {item_id for item_id, people in who.items() if qualified <= people}


def _ending(outcome: consensus.Outcome, is_excluded: bool, is_skipped: bool) -> Ending:
    votes = dict(outcome.votes)
    if is_excluded:
        return Ending(VerdictState.SET_ASIDE, "", SetAside.EXCLUDED, votes)
    if outcome.label is not None:
        return Ending(VerdictState.DECIDED, outcome.label, "", votes)
    if outcome.reason == consensus.DISAGREEMENT:
        return Ending(VerdictState.DISPUTED, "", "", votes)
    if is_skipped and not votes:
        return Ending(VerdictState.SET_ASIDE, "", SetAside.SKIPPED_BY_ALL, votes)
    return Ending(VerdictState.SET_ASIDE, "", SetAside.TOO_FEW, votes)


def _changes(before: Verdict | None, ending: Ending, rule: str) -> bool:
    """Whether the ending needs a row of its own beside what stands."""
    if before is None:
        return True
    if before.source == Source.ADJUDICATION:
        return False
    if _stands_by_decision(before, ending):
        return False
    same = (before.state, before.label, before.set_aside_reason) == (
        ending.state,
        ending.label,
        ending.reason,
    )
    return not (same and before.rule == rule and before.votes == ending.votes)


def _stands_by_decision(before: Verdict, ending: Ending) -> bool:
    """What a person set aside stays so while the reason holds."""
    if before.source != Source.DECISION:
        return False
    if before.set_aside_reason == SetAside.NO_EVIDENCE:
        return not ending.votes
    if before.set_aside_reason == SetAside.DISAGREEMENT:
        return ending.state == VerdictState.DISPUTED
    return ending.reason == before.set_aside_reason


def _rows(
    items: list[Item],
    endings: dict[int, Ending],
    current: dict[int, Verdict],
    rule: str,
    by: User,
    at: datetime,
) -> list[Verdict]:
    return [
        Verdict(
            item=item,
            replaces=current.get(item.pk),
            state=endings[item.pk].state,
            label=endings[item.pk].label,
            set_aside_reason=endings[item.pk].reason,
            source=Source.CONSENSUS,
            rule=rule,
            votes=endings[item.pk].votes,
            decided_at=at,
            decided_by=by,
        )
        for item in items
    ]


def _counts(batch: Batch, n_items: int, *, n_new: int, n_superseded: int) -> Settled:
    verdicts_now = _current(batch)
    states = [verdict.state for verdict in verdicts_now]
    return Settled(
        n_items=n_items,
        n_decided=states.count(VerdictState.DECIDED),
        n_disputed=states.count(VerdictState.DISPUTED),
        n_set_aside=states.count(VerdictState.SET_ASIDE),
        n_adjudicated=sum(verdict.source == Source.ADJUDICATION for verdict in verdicts_now),
        n_new=n_new,
        n_superseded=n_superseded,
    )


@transaction.atomic
def set_aside_disputes(*, batch: Batch, by: User) -> int:
    """Give up on what is still in dispute: set aside as disagreement. Returns how many."""
    disputed = Item.objects.filter(
        batch=batch, verdicts__state=VerdictState.DISPUTED, verdicts__replaced_by=None
    )
    items = list(disputed.select_for_update(of=("self",)))
    at = clock.now(batch)
    for item in items:
        verdicts.set_aside(item, SetAside.DISAGREEMENT, by=by, at=at)
    if items:
        events.record(
            study=batch.study, by=by, verb="set disputes aside", target=batch, n_items=len(items)
        )
    return len(items)
