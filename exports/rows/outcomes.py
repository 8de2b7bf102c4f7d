"""The outcomes of distinct answers, as in a release, without reading its other tables."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from annotation.models import Batch, ItemAnswer, SetAside, Verdict, VerdictState
from annotation.schemes import ACCEPTANCE
from corpus import versions
from corpus.models import Dataset, turn_key
from exports.rows.precedence import Precedence, precedence
from exports.rows.shown_answers import released_batches
from sampling.models import Fate, Pool, Purpose
from sampling.pools.selection import State

UNJUDGED = "unjudged"
NO_EVIDENCE = "no_evidence"
SET_ASIDE_OUTCOMES = {
    SetAside.DISAGREEMENT: "disputed",
    SetAside.EXCLUDED: "excluded",
    SetAside.NO_EVIDENCE: NO_EVIDENCE,
    SetAside.TOO_FEW: "too_few_judgements",
    SetAside.SKIPPED_BY_ALL: "skipped_by_all",
}
# A distinct answer: the primary key of its turn and the hash of its text.
DistinctAnswer = tuple[int, str]


def outcome(state: str, label: str, set_aside_reason: str) -> str:
    """The label of a verdict, or one word that says why there is no label."""
    if state == VerdictState.DECIDED:
        return label
    if state == VerdictState.DISPUTED:
        return "disputed"
    if state == VerdictState.SET_ASIDE:
        return SET_ASIDE_OUTCOMES[SetAside(set_aside_reason)]
    return UNJUDGED


@dataclass(frozen=True)
class Decision:
    """How an answer ended under a scheme, the name of the batch that decided so, and by what.

    `source` is that of the verdict, "" if there is none; `stands` is false where the plausibility verdict that it came from has changed.
    """

    outcome: str
    batch: str
    stands: bool
    source: str = ""


def decisions(
    batches: Sequence[Batch], scheme: str, *, dataset: Dataset
) -> dict[tuple[str, str], Decision]:
    """Return by turn key and text how each answer ended that these batches ask about under the scheme.

    Only answers to turns that stand in the version `dataset`.

    `batches` in the order of their making. Left out, as in a release: answers whose verdict does
    not stand, and those that no pool drew from a run that counts.
    """
    of_scheme = [batch for batch in batches if batch.scheme == scheme]
    names = (turn_key("candidate__turn__"), F("candidate__text"))
    given = Fate.objects.alias(first_run=versions.first_run("answer__run__")).filter(
        candidate=Coalesce(OuterRef("candidate__source"), OuterRef("candidate")),
        state__in=[State.DRAWN, State.STANDS],
        pool__purpose=Purpose.ANSWERS,
        first_run__in=versions.counting_first_runs(dataset),
    )
    drawn = set(_asked(of_scheme, dataset).filter(Exists(given)).values_list(*names))
    return {
        answer: decision
        for answer, decision in _decisions(of_scheme, names, dataset).items()
        if decision.stands and answer in drawn
    }


def plausibility_outcomes(
    dataset: Dataset, *, is_rehearsal: bool, pools: Collection[Pool] | None = None
) -> dict[DistinctAnswer, str]:
    """The outcome of each answer that a closed plausibility batch asked about.

    `pools` limits them to batches on these pools.
    """
    closed = released_batches(dataset, is_rehearsal=is_rehearsal).filter(scheme=ACCEPTANCE.name)
    if pools is not None:
        closed = closed.filter(pool__in=pools)
    names = (F("candidate__turn_id"), F("candidate__text_sha256"))
    own = versions.own_turns(dataset)
    return {
        (own.get(turn, turn), text): each.outcome
        for (turn, text), each in _decisions(list(closed), names, dataset).items()
    }


def _decisions(
    batches: Sequence[Batch], names: tuple[Combinable, Combinable], dataset: Dataset
) -> dict[tuple[Any, Any], Decision]:
    """Return how each answer ended that these batches of one scheme ask about, in the order of their making.

    `names` are the two expressions by which an ItemAnswer's answer is known.
    `exports.rows.precedence` says which of several items decides.
    """
    ranks = {batch.pk: rank for rank, batch in enumerate(batches)}
    current = Verdict.objects.current().filter(item__batch__in=batches)
    verdicts = {
        item: (state, source, outcome(state, label, reason))
        for item, source, state, label, reason in current.values_list(
            "item_id", "source", "state", "label", "set_aside_reason"
        )
    }
    rows = list(
        _asked(batches, dataset).values_list(
            *names, "item_id", "item__came_from_id", "item__batch_id"
        )
    )
    accepted = _accepted_origins(batches) if any(origin for *_, origin, _ in rows) else set()
    best: dict[tuple[Any, Any], tuple[Precedence, Decision]] = {}
    for first, second, item, origin, batch in rows:
        state, source, name = verdicts.get(item, ("", "", UNJUDGED))
        rank = ranks[batch]
        stands = origin is None or origin in accepted
        decision = Decision(name, batches[rank].name, stands, source)
        found = precedence(
            state=state, source=source, stands=decision.stands, batch_rank=rank, item=item
        )
        if (first, second) not in best or found > best[first, second][0]:
            best[first, second] = found, decision
    return {answer: decision for answer, (_, decision) in best.items()}


def _asked(batches: Sequence[Batch], dataset: Dataset) -> QuerySet[ItemAnswer]:
    """Return what the items of the batches show of turns that stand in the version, without control items."""
    asked = ItemAnswer.objects.filter(item__batch__in=batches, item__n_wanted__isnull=False)
    return asked.filter(versions.stands(dataset, "item__turn"))


def _accepted_origins(batches: Sequence[Batch]) -> set[int]:
    """Return the plausibility items that items of these batches came from, and that are accepted."""
    accepted = Verdict.objects.current().filter(
        item__led_to__batch__in=batches,
        item__batch__in=Batch.objects.counting().filter(scheme=ACCEPTANCE.name),
        state=VerdictState.DECIDED,
        label=ACCEPTANCE.accepted,
    )
    return set(accepted.values_list("item_id", flat=True))


def is_rehearsed(pools: Collection[Pool]) -> bool:
    """Whether the pools have plausibility batches, and all of them are rehearsals."""
    batches = Batch.objects.counting().filter(pool__in=pools, scheme=ACCEPTANCE.name)
    return batches.exists() and not batches.filter(is_rehearsal=False).exists()
