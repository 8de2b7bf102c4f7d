"""What a rule makes of the items of a batch, from the judgements that count."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from accounts.models import Membership, Role
from annotation import consensus, schemes
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    Exclusion,
    Item,
    Judgement,
    SetAside,
    Verdict,
    VerdictState,
)


@dataclass(frozen=True)
class Ending:
    """What the rule makes of one item."""

    state: VerdictState
    label: str
    reason: str
    votes: dict[str, int]


def of(*, batch: Batch, items: Iterable[Item], rule: str) -> dict[int, Ending]:
    """The ending of each item by its id. Adjudications take no part: they stand whatever this says."""
    votes = _counted_votes(batch)
    outcomes = consensus.RULES[rule]({item.pk: votes[item.pk] for item in items})
    excluded = set(
        Exclusion.objects.filter(item__batch=batch, replaced_by=None, is_excluded=True).values_list(
            "item_id", flat=True
        )
    )
    unjudged = dict.fromkeys(_skipped_by_all(batch), SetAside.SKIPPED_BY_ALL)
    unjudged |= dict.fromkeys(_without_evidence(batch), SetAside.NO_EVIDENCE)
    return {
        item.pk: _ending(outcomes[item.pk], item.pk in excluded, unjudged.get(item.pk))
        for item in items
    }


def _counted_votes(batch: Batch) -> dict[int, dict[str, str]]:
    """What counts of each item: who said which label."""
    scheme = schemes.get(batch.scheme)
    counted = Judgement.objects.counted().filter(assignment__item__batch=batch)
    votes: dict[int, dict[str, str]] = defaultdict(dict)
    said = counted.values_list("assignment__item_id", "assignment__annotator_id", "response")
    for item_id, annotator_id, response in said:
        votes[item_id][str(annotator_id)] = scheme.label(response)
    return votes


def _skipped_by_all(batch: Batch) -> set[int]:
    """Items that everybody with a desk in the study skipped."""
    people = Membership.objects.filter(study=batch.study, user__is_simulated=batch.is_rehearsal)
    desks = people.exclude(grants__role__in=[Role.REQUESTER, Role.ADJUDICATOR])
    qualified = set(desks.holding(Role.ANNOTATOR).values_list("user_id", flat=True))
    if not qualified:
        return set()
    skips = Assignment.objects.filter(item__batch=batch, state=AssignmentState.SKIPPED)
    who: dict[int, set[int]] = defaultdict(set)
    for item_id, annotator_id in skips.values_list("item_id", "annotator_id"):
        who[item_id].add(annotator_id)
    return {item_id for item_id, people in who.items() if qualified <= people}


def _without_evidence(batch: Batch) -> set[int]:
    """Items that were set aside when the batch opened, so that nobody was asked."""
    first = Verdict.objects.filter(item__batch=batch, replaces=None)
    return set(
        first.filter(set_aside_reason=SetAside.NO_EVIDENCE).values_list("item_id", flat=True)
    )


def _ending(outcome: consensus.Outcome, is_excluded: bool, unjudged: SetAside | None) -> Ending:
    """`unjudged` is the reason, where there is one, why nobody judged the item."""
    votes = dict(outcome.votes)
    if is_excluded:
        return Ending(VerdictState.SET_ASIDE, "", SetAside.EXCLUDED, votes)
    if outcome.label is not None:
        return Ending(VerdictState.DECIDED, outcome.label, "", votes)
    if outcome.reason == consensus.DISAGREEMENT:
        return Ending(VerdictState.DISPUTED, "", "", votes)
    reason = SetAside.TOO_FEW if votes or unjudged is None else unjudged
    return Ending(VerdictState.SET_ASIDE, "", reason, votes)
