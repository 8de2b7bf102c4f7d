"""Rates of runs over what people settled, with intervals. Plain Python.

A question is a turn, and a run has one answer to it. A rate is a share n_accepted / n_questions over the
questions that form its basis:

    measure     basis: the run's drawn answers that …                   accepted: those that …
    plausible   ended with a label of plausibility                      are plausible
    faithful    are plausible and ended with a label of faithfulness    are faithful
    gold        ended without being plausible, or are plausible         are gold: plausible and faithful
                and ended with a label of faithfulness

`plausible` and `faithful` are the rates of `exports.rows.per_run`, whose bounds say what the unsettled could
change. Those of `gold` are, of the drawn, n_accepted and n_accepted + drawn - n_questions: what is disputed,
unjudged or not asked about by evidence yet may be gold or not.

The interval is the bootstrap over questions of `stats.bootstrap`: each question of the basis is
the row (1,) or (0,) for accepted or not. As a run has one answer a question, for a single run this draws
its answers one by one; what questions do is pair the runs (`stats.paired_proportions`). Turns of one conversation
are drawn apart: the interval is about other questions, not about other conversations.

Undefined: a rate without a basis is None; an interval is None, with the reason, for a single question, and
where all answers ended alike.

Right: 3 of 4 settled are plausible → .75. Wrong: 3 of 6 drawn → .5; two are not settled.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from annotation.schemes import ACCEPTANCE, GROUNDING
from exports.rows.columns import AnswerRow
from exports.rows.per_run import KINDS
from stats.agreement.judgement_table import Floats
from stats.bootstrap import BootstrapInterval, bootstrap, no_interval
from stats.paired_proportions import Settled

Json = dict[str, object]
NOTHING = "nothing of it is settled"


@dataclass(frozen=True, slots=True)
class Measure:
    name: str
    is_of: Callable[[AnswerRow], bool]
    is_accepted: Callable[[AnswerRow], bool]
    without: str  # why there is no rate


def _is_plausible(row: AnswerRow) -> bool:
    return row.plausibility == ACCEPTANCE.accepted


def _has_ended(row: AnswerRow) -> bool:
    """Whether it is known to be gold or not."""
    scheme = GROUNDING if _is_plausible(row) else ACCEPTANCE
    ending = row.faithfulness if _is_plausible(row) else row.plausibility
    return ending in scheme.labels


MEASURES = (
    Measure("plausible", lambda row: row.plausibility in ACCEPTANCE.labels, _is_plausible, NOTHING),
    Measure(
        "faithful",
        lambda row: _is_plausible(row) and row.faithfulness in GROUNDING.labels,
        lambda row: row.faithfulness == GROUNDING.accepted,
        NOTHING,
    ),
    Measure("gold", _has_ended, lambda row: row.tier == "gold", NOTHING),
)


@dataclass(frozen=True, slots=True)
class Rate:
    """None with the reason; the interval has a reason of its own."""

    run: str
    n_questions: int
    n_accepted: int
    value: float | None
    reason: str | None
    interval: BootstrapInterval

    def to_dict(self) -> Json:
        return asdict(self)


def settled(answers: Iterable[AnswerRow], measure: Measure) -> dict[str, dict[str, bool]]:
    """Of every run that has an answer, in the order of `exports.rows.per_run`, the questions of its basis.

    Raises ValueError where a run has two answers to a question.
    """
    found: dict[tuple[int, str], dict[str, bool]] = {}
    for row in answers:
        questions = found.setdefault((KINDS.index(row.kind), row.run), {})
        if row.sampled == "drawn" and measure.is_of(row):
            if row.turn_id in questions:
                raise ValueError(f"the run {row.run!r} has two answers to {row.turn_id!r}")
            questions[row.turn_id] = measure.is_accepted(row)
    return {run: found[kind, run] for kind, run in sorted(found)}


def rates(
    runs: Mapping[str, Settled], measure: Measure, *, replicates: int, seed: int
) -> list[Rate]:
    """One of each run, in their order. The order of the questions changes nothing."""
    return [_rate(run, runs[run], measure, replicates, seed) for run in runs]


def _rate(run: str, questions: Settled, measure: Measure, replicates: int, seed: int) -> Rate:
    ended = list(questions.values())
    return Rate(
        run=run,
        n_questions=len(ended),
        n_accepted=sum(ended),
        value=sum(ended) / len(ended) if ended else None,
        reason=None if ended else measure.without,
        interval=share_interval(ended, measure.without, replicates=replicates, seed=seed),
    )


def share_interval(
    ended: Sequence[bool], without: str, *, replicates: int, seed: int
) -> BootstrapInterval:
    """Of the share of questions that ended so."""
    if not ended:
        return no_interval(without, seed)
    rows = np.array(ended, dtype=np.int64).reshape(-1, 1)

    def share(totals: Floats) -> Floats:
        return totals[:, 0] / len(ended)

    return bootstrap(rows, share, replicates=replicates, seed=seed)
