"""What people settled beside what a measure says: by distinct answer, and by run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import QuerySet

from annotation.models import Batch, BatchState
from annotation.schemes import ACCEPTANCE
from corpus.models import Answer, Dataset, RunKind
from exports.rows import outcomes
from exports.rows.inclusion_probability import chances
from exports.rows.outcomes import Distinct
from sampling.models import Pool, Purpose
from scoring.text_hashes import text_sha256
from stats.bootstrap import Floats
from stats.roc import Unit


@dataclass(frozen=True)
class Settled:
    """The distinct answers that ended with a label, what each stands for, and who gave them.

    `answers`: of every answer of a system or baseline, by primary key, its turn, its run and, where it is
    settled, which distinct answer it is.
    """

    labels: Mapping[Distinct, str]
    weights: Mapping[Distinct, float]
    answers: Mapping[int, tuple[int, int, Distinct | None]]
    runs: Mapping[int, str]
    is_rehearsal: bool
    has_audit: bool


def settled(dataset: Dataset) -> Settled:
    pools = dataset.pools.filter(purpose=Purpose.ANSWERS)
    is_rehearsal = outcomes.is_rehearsed(pools)
    asking = Batch.objects.filter(pool__in=pools, **_ASKED, is_rehearsal=is_rehearsal)
    asked = _each_audited_once(pools.filter(pk__in=asking.values("pool")))
    ended = outcomes.of_plausibility(dataset, is_rehearsal=is_rehearsal, pools=asked)
    labels = {answer: label for answer, label in ended.items() if label in ACCEPTANCE.labels}
    rows = Answer.objects.of_systems(dataset).values_list("pk", "turn_id", "run_id", "text")
    runs = dataset.runs.exclude(kind=RunKind.REFERENCE).values_list("pk", "name")
    weights = {answer: 1 / chance for answer, chance in chances(asked).items()}
    return Settled(
        labels=labels,
        weights={answer: weights[answer] for answer in labels},
        answers={
            pk: (turn, run, _known((turn, text_sha256(text)), labels))
            for pk, turn, run, text in rows.iterator()
        },
        runs=dict(runs),
        is_rehearsal=is_rehearsal,
        has_audit=any(pool.audit_of_id for pool in asked),
    )


# Of a batch whose verdicts count.
_ASKED: dict[str, Any] = {"state": BatchState.CLOSED, "scheme": ACCEPTANCE.name}


def _known(answer: Distinct, labels: Mapping[Distinct, str]) -> Distinct | None:
    return answer if answer in labels else None


def _each_audited_once(asked: QuerySet[Pool]) -> list[Pool]:
    """The pools, but of several audits of one pool the largest, and of equal ones the first: each stands for
    all that the pool left out, and together they would stand for it twice.
    """
    found: dict[tuple[str, int], Pool] = {}
    for pool in asked.order_by("pk"):
        key = ("audit of", pool.audit_of_id) if pool.audit_of_id else ("pool", pool.pk)
        if key not in found or _n_drawn(pool) > _n_drawn(found[key]):
            found[key] = pool
    return list(found.values())


def _n_drawn(audit: Pool) -> int:
    return sum(stratum["n_drawn"] for stratum in audit.counts["strata"].values())


def units(found: Settled, values: Mapping[int, float]) -> list[Unit]:
    """The settled answers that the measure has a value of: of unequal values of one text the highest."""
    highest: dict[Distinct, float] = {}
    for pk, value in values.items():
        _, _, answer = found.answers[pk]
        if answer is not None:
            highest[answer] = max(value, highest.get(answer, value))
    return [
        Unit(answer[0], value, found.labels[answer] == ACCEPTANCE.accepted, found.weights[answer])
        for answer, value in sorted(highest.items())
    ]


@dataclass(frozen=True)
class OfRuns:
    """By turn and run, (turns, runs) each: the sum and number of values, of weighed verdicts and weights."""

    values: Floats
    n_values: Floats
    accepted: Floats
    weights: Floats


def of_runs(found: Settled, values: Mapping[int, float]) -> OfRuns:
    turns = {turn: place for place, turn in enumerate(_turns(found))}
    runs = {run: place for place, run in enumerate(found.runs)}
    arrays = [np.zeros((len(turns), len(runs))) for _ in range(4)]
    sums, counts, accepted, weights = arrays
    for pk, (turn, run, answer) in found.answers.items():
        place = turns[turn], runs[run]
        if pk in values:
            sums[place] += values[pk]
            counts[place] += 1
        if answer is not None:
            accepted[place] += found.weights[answer] * (found.labels[answer] == ACCEPTANCE.accepted)
            weights[place] += found.weights[answer]
    return OfRuns(*arrays)


def _turns(found: Settled) -> list[int]:
    return sorted({turn for turn, _, _ in found.answers.values()})
