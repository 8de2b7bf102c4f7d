"""Rates of runs over their settled answers, with intervals. Imports no Django.

A question is a turn, and a run has one answer to it. A rate is n_accepted / n_questions over the
questions of its basis:

    measure     basis: the run's drawn answers that …                   accepted: those that …
    plausible   have a label of plausibility                            are plausible
    faithful    are plausible and have a label of faithfulness          are faithful
    gold        have a label of plausibility other than plausible,      are gold: plausible and faithful
                or are plausible and have a label of faithfulness

`plausible` and `faithful` are the rates of `exports.rows.per_run`, which has bounds for the
unsettled answers. The bounds of `gold` are n_accepted / drawn and (n_accepted + drawn -
n_questions) / drawn: answers that are disputed, unjudged or not asked about by evidence may be gold
or not.

The interval is the bootstrap over questions of `stats.bootstrap`, with the row (1,) or (0,) for
each question of the basis: accepted or not. As a run has one answer to a question, this draws its
answers one by one. Questions pair the answers of two runs in `stats.paired_proportions`. Turns of
one conversation are drawn independently: the interval is about other questions, not about other
conversations.

A rate without a basis is None. An interval is None, with the reason, for a single question and if
all questions have the same outcome.

Example: of 6 drawn answers 4 are settled, 3 of them plausible. The rate is 3/4, not 3/6.
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
NOTHING_SETTLED = "nothing of it is settled"


@dataclass(frozen=True, slots=True)
class Measure:
    name: str
    is_in_basis: Callable[[AnswerRow], bool]
    is_accepted: Callable[[AnswerRow], bool]
    undefined_reason: str


def _is_plausible(row: AnswerRow) -> bool:
    return row.plausibility == ACCEPTANCE.accepted


def _is_settled(row: AnswerRow) -> bool:
    """Whether it is settled that the answer is gold or that it is not."""
    scheme = GROUNDING if _is_plausible(row) else ACCEPTANCE
    outcome = row.faithfulness if _is_plausible(row) else row.plausibility
    return outcome in scheme.labels


MEASURES = (
    Measure(
        "plausible",
        lambda row: row.plausibility in ACCEPTANCE.labels,
        _is_plausible,
        NOTHING_SETTLED,
    ),
    Measure(
        "faithful",
        lambda row: _is_plausible(row) and row.faithfulness in GROUNDING.labels,
        lambda row: row.faithfulness == GROUNDING.accepted,
        NOTHING_SETTLED,
    ),
    Measure("gold", _is_settled, lambda row: row.tier == "gold", NOTHING_SETTLED),
)


@dataclass(frozen=True, slots=True)
class Rate:
    """A run's rate by a measure. `value` is None with a `reason`; the interval has its own reason."""

    run: str
    n_questions: int
    n_accepted: int
    value: float | None
    reason: str | None
    interval: BootstrapInterval

    def to_dict(self) -> Json:
        return asdict(self)


def settled_questions(answers: Iterable[AnswerRow], measure: Measure) -> dict[str, dict[str, bool]]:
    """By run, the questions of its basis, and whether its answer is accepted.

    The runs are in the order of `exports.rows.per_run`. Raises ValueError for two answers of a run
    to a question.
    """
    found: dict[tuple[int, str], dict[str, bool]] = {}
    for row in answers:
        questions = found.setdefault((KINDS.index(row.kind), row.run), {})
        if row.sampled == "drawn" and measure.is_in_basis(row):
            if row.turn_id in questions:
                raise ValueError(f"the run {row.run!r} has two answers to {row.turn_id!r}")
            questions[row.turn_id] = measure.is_accepted(row)
    return {run: found[kind, run] for kind, run in sorted(found)}


def rates(
    runs: Mapping[str, Settled], measure: Measure, *, replicates: int, seed: int
) -> list[Rate]:
    """The rates of the runs in their order. They do not depend on the order of the questions."""
    return [_rate(run, runs[run], measure, replicates, seed) for run in runs]


def _rate(run: str, questions: Settled, measure: Measure, replicates: int, seed: int) -> Rate:
    outcomes = list(questions.values())
    return Rate(
        run=run,
        n_questions=len(outcomes),
        n_accepted=sum(outcomes),
        value=sum(outcomes) / len(outcomes) if outcomes else None,
        reason=None if outcomes else measure.undefined_reason,
        interval=share_interval(
            outcomes, measure.undefined_reason, replicates=replicates, seed=seed
        ),
    )


def share_interval(
    outcomes: Sequence[bool], undefined_reason: str, *, replicates: int, seed: int
) -> BootstrapInterval:
    """The interval of the share of true outcomes; without outcomes None for the given reason."""
    if not outcomes:
        return no_interval(undefined_reason, seed)
    rows = np.array(outcomes, dtype=np.int64).reshape(-1, 1)

    def share(totals: Floats) -> Floats:
        return totals[:, 0] / len(outcomes)

    return bootstrap(rows, share, replicates=replicates, seed=seed)
