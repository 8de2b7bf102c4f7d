"""The outcomes of a batch's items under a consensus rule, from the counted judgements."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from accounts.models import Membership, Role
from annotation import schemes
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    Exclusion,
    Item,
    Judgement,
    Review,
    SetAside,
    Verdict,
    VerdictState,
)
from annotation.models.work import JudgementQuerySet
from annotation.queries import few_rows
from annotation.schemes import SettledScheme
from stats.aggregation import consensus

# So few items are named to the database; of more, the judgements of the whole batch are read at once.
FEW = 1000


@dataclass(frozen=True)
class ItemOutcome:
    """The outcome of one item under the rule."""

    state: VerdictState
    label: str
    reason: str
    votes: dict[str, int]
    posterior: dict[str, float] = field(default_factory=dict)


Votes = Mapping[int, Mapping[str, str]]


def outcomes_of(*, batch: Batch, items: Iterable[Item], rule: str) -> dict[int, ItemOutcome]:
    """The outcome of each item under the rule, by item, regardless of adjudications."""
    keys = [item.pk for item in items]
    return outcomes_by_rule(batch=batch, items=keys, rules=[rule])[rule]


def outcomes_as_if(
    *, batch: Batch, items: Iterable[Item], rule: str, as_if: Mapping[int, bool]
) -> tuple[dict[int, ItemOutcome], dict[int, ItemOutcome]]:
    """The outcomes now, and the outcomes if the judgements in `as_if` (by key) counted or did not count.

    The rule is applied once if the counted votes are the same.
    """
    evaluation = _Evaluation(batch, [item.pk for item in items])
    now, then = _counted_votes(batch, as_if, evaluation.items)
    outcomes = evaluation.outcomes(now, rule)
    return outcomes, outcomes if now == then else evaluation.outcomes(then, rule)


def outcomes_by_rule(
    *, batch: Batch, items: Iterable[int], rules: Iterable[str]
) -> dict[str, dict[int, ItemOutcome]]:
    """The outcomes of the items (keys) under each rule, from judgements that are read once."""
    evaluation = _Evaluation(batch, list(items))
    votes, _ = _counted_votes(batch, {}, evaluation.items)
    return {rule: evaluation.outcomes(votes, rule) for rule in rules}


class _Evaluation:
    """Applies rules to items; holds what the outcomes depend on besides the votes."""

    def __init__(self, batch: Batch, items: list[int]) -> None:
        self.batch, self.items = batch, items
        self.scheme = schemes.settled_scheme(batch.scheme)
        self.excluded = _excluded(batch)

    @cached_property
    def unjudged(self) -> dict[int, SetAside]:
        """Why nobody judged an item, by item; asked only where an item has no votes."""
        skipped = dict.fromkeys(_skipped_by_all(self.batch), SetAside.SKIPPED_BY_ALL)
        without = _without_evidence(self.batch, self.items)
        return skipped | dict.fromkeys(without, SetAside.NO_EVIDENCE)

    def _unjudged(self, votes: Mapping[str, str]) -> Mapping[int, SetAside]:
        return {} if votes else self.unjudged

    def outcomes(self, votes: Votes, rule: str) -> dict[int, ItemOutcome]:
        # The votes on excluded items must not influence the outcomes of others.
        kept = {pk: votes.get(pk, {}) for pk in self.items if pk not in self.excluded}
        outcomes = consensus.RULES[rule](kept, labels=self.scheme.labels)
        return {
            pk: _excluded_outcome(votes.get(pk, {}))
            if pk in self.excluded
            else _item_outcome(self.scheme, outcomes[pk], self._unjudged(kept[pk]).get(pk))
            for pk in self.items
        }


def counted_votes(batch: Batch) -> Votes:
    """The counted votes (label by annotator) by item, without control items and excluded items."""
    real = list(Item.objects.real().filter(batch=batch).values_list("pk", flat=True))
    votes, excluded = _counted_votes(batch, {}, real)[0], _excluded(batch)
    return {pk: votes.get(pk, {}) for pk in real if pk not in excluded}


def _excluded(batch: Batch) -> set[int]:
    excluded = Exclusion.objects.filter(replaced_by=None, is_excluded=True)
    of_batch = few_rows.at(excluded, "item__batch", [batch.pk])
    return set(of_batch.values_list("item_id", flat=True))


def _counted_votes(
    batch: Batch, as_if: Mapping[int, bool], items: Collection[int]
) -> tuple[Votes, Votes]:
    """The counted votes of at least these items of the batch: now, and if the judgements in `as_if` counted or did
    not.
    """
    columns = ("assignment__item_id", "assignment__annotator_id", as_text())
    # Not sorted, which takes long: each person has one vote on an item.
    of_batch = Judgement.objects.filter(assignment__item__batch=batch).order_by()
    if len(items) <= FEW:  # they are the batch's own: a condition on the batch would add nothing
        of_batch = Judgement.objects.filter(assignment__item__in=items).order_by()
        rows = of_batch.counted()
    else:
        rows = _counted_of_many(batch, of_batch)
    if not as_if:
        now = _by_item(batch, rows.values_list(*columns))
        return now, now
    counted = {pk: row for pk, *row in rows.values_list("pk", *columns)}
    then = {pk: row for pk, row in counted.items() if as_if.get(pk, True)}
    if any(as_if.values()):
        not_withdrawn = of_batch.not_withdrawn().values_list("pk", *columns)
        then |= {pk: row for pk, *row in not_withdrawn if as_if.get(pk)}
    return _by_item(batch, counted.values()), _by_item(batch, then.values())


def _counted_of_many(batch: Batch, judgements: JudgementQuerySet) -> JudgementQuerySet:
    """The counted ones among these judgements of the batch: what JudgementQuerySet.counted() returns.

    That asks of each by itself whether it was refused; here those of the batch, which are few, are found once.
    """
    refused = Review.objects.filter(act__batch=batch, is_counted=False, replaced_by=None)
    is_refused = Q(pk__in=refused.order_by().values("judgement"))
    return judgements.not_withdrawn().filter(~is_refused, is_surplus=False)


def as_text(name: str = "response") -> Cast:
    """A JSON field as text, as the response of a judgement. Few are different, so each of these need be parsed only
    once.
    """
    return Cast(name, TextField())


def _by_item(batch: Batch, rows: Iterable[Iterable[Any]]) -> Votes:
    """Return the votes of rows of an item, an annotator and a response."""
    scheme = schemes.settled_scheme(batch.scheme)
    labels: dict[str, str] = {}
    names: dict[int, str] = {}
    votes: dict[int, dict[str, str]] = defaultdict(dict)
    for item_id, annotator_id, response in rows:
        if response not in labels:
            labels[response] = scheme.label(json.loads(response))
        if annotator_id not in names:
            names[annotator_id] = str(annotator_id)
        votes[item_id][names[annotator_id]] = labels[response]
    return votes


def _skipped_by_all(batch: Batch) -> set[int]:
    """The items that everybody with a desk in the study skipped."""
    people = Membership.objects.filter(study=batch.study, user__is_simulated=batch.is_rehearsal)
    desks = people.exclude(grants__role__in=[Role.REQUESTER, Role.ADJUDICATOR])
    qualified = set(desks.with_role(Role.ANNOTATOR).values_list("user_id", flat=True))
    if not qualified:
        return set()
    theirs = Assignment.objects.filter(state=AssignmentState.SKIPPED, annotator__in=qualified)
    skips = few_rows.at(theirs, "item__batch", [batch.pk])
    who: dict[int, set[int]] = defaultdict(set)
    for item_id, annotator_id in skips.values_list("item_id", "annotator_id"):
        who[item_id].add(annotator_id)
    return {item_id for item_id, people in who.items() if qualified <= people}


def _without_evidence(batch: Batch, items: Collection[int]) -> set[int]:
    """The items, at least of these, that were set aside without evidence when the batch opened."""
    first = Verdict.objects.filter(replaces=None, set_aside_reason=SetAside.NO_EVIDENCE)
    theirs = first.filter(item__in=items) if len(items) <= FEW else first.filter(item__batch=batch)
    return set(theirs.order_by().values_list("item_id", flat=True))


def _excluded_outcome(votes: Mapping[str, str]) -> ItemOutcome:
    counts = dict(consensus.label_counts(votes.values()))
    return ItemOutcome(VerdictState.SET_ASIDE, "", SetAside.EXCLUDED, counts)


def _item_outcome(
    scheme: SettledScheme, outcome: consensus.Outcome, unjudged: SetAside | None
) -> ItemOutcome:
    """`unjudged` is the reason why nobody judged the item, if there is one."""
    votes, posterior = dict(outcome.votes), dict(outcome.posterior)
    if outcome.label is not None:
        label = scheme.label_of_vote(outcome.label)
        return ItemOutcome(VerdictState.DECIDED, label, "", votes, posterior)
    if outcome.reason in (consensus.DISAGREEMENT, consensus.UNCERTAIN):
        return ItemOutcome(VerdictState.DISPUTED, "", "", votes, posterior)
    reason = SetAside.TOO_FEW if votes or unjudged is None else unjudged
    return ItemOutcome(VerdictState.SET_ASIDE, "", reason, votes)
