"""Settled answers with their verdicts and a measure's values: by distinct answer, and by run."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Q, QuerySet

from annotation.models import Batch, BatchState
from annotation.schemes import ACCEPTANCE
from corpus.models import Answer, Dataset, Turn
from corpus.versions import own_turns
from exports.rows import outcomes
from exports.rows.inclusion_probability import inclusion_probabilities
from exports.rows.outcomes import DistinctAnswer
from exports.rows.shown_answers import pools_leaving_out, pools_on
from sampling.models import Candidate, Pool, Purpose
from scoring.text_hashes import text_sha256
from stats.bootstrap import Floats
from stats.roc import Unit


@dataclass(frozen=True)
class SettledAnswers:
    """The distinct answers with a label of plausibility.

    labels   by distinct answer
    weights  by distinct answer, the inverse inclusion probability, times how many answers of its stratum were asked
             about for each that is settled: what is not settled is represented by what is
    answers  by primary key of every answer of a system or baseline: its turn, its run and, if it is settled, its
             distinct answer
    runs     names by primary key
    cluster  by primary key of every turn the first turn of its conversation: intervals draw conversations
    """

    labels: Mapping[DistinctAnswer, str]
    weights: Mapping[DistinctAnswer, float]
    answers: Mapping[int, tuple[int, int, DistinctAnswer | None]]
    runs: Mapping[int, str]
    cluster: Mapping[int, int]
    is_rehearsal: bool
    has_audit: bool


def settled_answers(dataset: Dataset) -> SettledAnswers:
    pools = pools_on(dataset, Purpose.ANSWERS)
    is_rehearsal = outcomes.is_rehearsed(pools)
    batches = Batch.objects.counting().filter(pool__in=pools, is_rehearsal=is_rehearsal)
    batches = batches.filter(**_COUNTED_BATCHES)
    asked = Q(pk__in=batches.values("pool"))
    # Of these everything was asked about before: they are in the chance of that.
    leaving_out = pools_leaving_out(dataset, is_rehearsal=is_rehearsal)
    nothing_left = Q(pk__in=leaving_out.filter(counts__n_candidates=0).values("pk"))
    pools_asked = _pools_with_largest_audit(pools.filter(asked | nothing_left))
    outcome_by_answer = outcomes.plausibility_outcomes(
        dataset, is_rehearsal=is_rehearsal, pools=pools_asked
    )
    labels = {
        answer: label for answer, label in outcome_by_answer.items() if label in ACCEPTANCE.labels
    }
    runs = dict(dataset.runs.counting().competing().values_list("pk", "name"))
    rows = Answer.objects.of_systems(dataset).filter(run__in=runs)
    probabilities = inclusion_probabilities(pools_asked, own_turns(dataset))
    return SettledAnswers(
        labels=labels,
        weights=_weights(probabilities, labels, _only_audited(pools_asked, dataset)),
        answers={
            pk: (turn, run, _known_answer((turn, text_sha256(text)), labels))
            for pk, turn, run, text in rows.values_list(
                "pk", "turn_id", "run_id", "text"
            ).iterator()
        },
        runs=runs,
        cluster=_first_turns(dataset),
        is_rehearsal=is_rehearsal,
        has_audit=any(pool.audit_of_id for pool in pools_asked),
    )


def _weights(
    probabilities: Mapping[DistinctAnswer, float],
    labels: Collection[DistinctAnswer],
    only_audited: Collection[DistinctAnswer],
) -> dict[DistinctAnswer, float]:
    """The weights of the answers with a label.

    Strata are, as on the page of what a draw missed, what pools drew, and of audit samples the answers with one
    probability. Divided by the same ratio over all, which no figure depends on, the weights are the inverse
    probabilities where all strata settle alike.
    """

    def stratum(answer: DistinctAnswer) -> float | None:
        return round(probabilities[answer], 9) if answer in only_audited else None

    asked, settled = Counter(map(stratum, probabilities)), Counter(map(stratum, labels))
    overall = len(probabilities) / len(labels) if labels else 1.0
    return {
        answer: asked[stratum(answer)] / settled[stratum(answer)] / overall / probabilities[answer]
        for answer in labels
    }


def _only_audited(pools: Collection[Pool], dataset: Dataset) -> set[DistinctAnswer]:
    """The candidates of audit samples that no other pool drew."""
    own = own_turns(dataset)

    def candidates(*, of_audits: bool) -> set[DistinctAnswer]:
        chosen = [pool for pool in pools if bool(pool.audit_of_id) == of_audits]
        rows = Candidate.objects.filter(pool__in=chosen).values_list("turn_id", "text_sha256")
        return {(own.get(turn, turn), sha256) for turn, sha256 in rows.iterator()}

    audited = candidates(of_audits=True)
    return audited - candidates(of_audits=False) if audited else audited


def _first_turns(dataset: Dataset) -> dict[int, int]:
    """The lowest primary key of each turn's conversation, so that single turns stand for themselves."""
    found: dict[int, int] = {}
    turns = Turn.objects.of(dataset).order_by("pk").values_list("pk", "conversation_id")
    return {turn: found.setdefault(conversation, turn) for turn, conversation in turns}


# The conditions of batches whose verdicts count.
_COUNTED_BATCHES: dict[str, Any] = {"state": BatchState.CLOSED, "scheme": ACCEPTANCE.name}


def _known_answer(
    answer: DistinctAnswer, labels: Mapping[DistinctAnswer, str]
) -> DistinctAnswer | None:
    return answer if answer in labels else None


def _pools_with_largest_audit(pools: QuerySet[Pool]) -> list[Pool]:
    """The pools, with only the largest of several audit samples of a pool, and the first of equal
    ones.

    Each audit sample stands for all answers that its pool left out: two would count them twice.
    """
    found: dict[tuple[str, int], Pool] = {}
    for pool in pools.order_by("pk"):
        key = ("audit of", pool.audit_of_id) if pool.audit_of_id else ("pool", pool.pk)
        if key not in found or _n_drawn(pool) > _n_drawn(found[key]):
            found[key] = pool
    return list(found.values())


def _n_drawn(audit: Pool) -> int:
    return sum(stratum["n_drawn"] for stratum in audit.counts["strata"].values())


def units(settled: SettledAnswers, values: Mapping[int, float]) -> list[Unit]:
    """The settled answers with a value of the measure: the highest of all answers with this text."""
    highest: dict[DistinctAnswer, float] = {}
    for pk, (_, _, answer) in settled.answers.items():
        if answer is not None and pk in values:
            highest[answer] = max(values[pk], highest.get(answer, values[pk]))
    return [
        Unit(
            answer[0],
            value,
            settled.labels[answer] == ACCEPTANCE.accepted,
            settled.weights[answer],
            settled.cluster[answer[0]],
        )
        for answer, value in sorted(highest.items())
    ]


@dataclass(frozen=True)
class RunSums:
    """Sums by turn and run, all (turns, runs): values and their number, weights of plausible
    answers, all weights.
    """

    values: Floats
    n_values: Floats
    accepted: Floats
    weights: Floats


def run_sums(settled: SettledAnswers, values: Mapping[int, float]) -> RunSums:
    turns = {turn: place for place, turn in enumerate(_turns(settled))}
    runs = {run: place for place, run in enumerate(settled.runs)}
    arrays = [np.zeros((len(turns), len(runs))) for _ in range(4)]
    sums, counts, accepted, weights = arrays
    for pk, (turn, run, answer) in settled.answers.items():
        place = turns[turn], runs[run]
        if pk in values:
            sums[place] += values[pk]
            counts[place] += 1
        if answer is not None:
            accepted[place] += settled.weights[answer] * (
                settled.labels[answer] == ACCEPTANCE.accepted
            )
            weights[place] += settled.weights[answer]
    return RunSums(*arrays)


def _turns(settled: SettledAnswers) -> list[int]:
    return sorted({turn for turn, _, _ in settled.answers.values()})
