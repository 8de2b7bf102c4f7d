"""Rates of runs over their settled answers, and their differences. Imports no Django.

A question is a turn, and a run has one answer to it. A rate is n_accepted / n_questions over the
questions of its basis:

    measure     basis: the run's drawn answers that …                   accepted: those that …
    plausible   have a label of plausibility                            are plausible
    faithful    are plausible and have a label of faithfulness          are faithful
    gold        have a label of plausibility                            are gold: plausible and faithful

A rate is one of the *settled* answers: what people disagree on is hard and mostly bad, so it is not
missing by chance, and an interval does not allow for it. `n_not_settled` and `bounds`
(`exports.results.bounds`) do: they are over all drawn answers (of `faithful` all plausible ones).
`plausible` and `faithful` are the rates and bounds of `exports.rows.per_run`. Faithfulness may be settled for some of the plausible answers only: most often
because only some were asked about. Then the rate of gold is the product of the other two rates on
its basis, and `shares` has both (`stats.two_step_rates`). Of gold those are open that are plausible
without a label of faithfulness, too.

The interval is Wilson's, as a run has one answer to a question; that of a product is a bootstrap
over conversations. Turns of one conversation are alike: where a run has several,
`stats.clustered_proportions` widens the interval, so that it is about other conversations. It is for the
people who judged; `exports.results.people` adds `people_interval`, for people like them.

A rate without a basis is None, and so is its interval, with the reason.

Example: of 6 drawn answers 4 are settled, 3 of them plausible. The rate is 3/4, not 3/6. If the
faithfulness of two of these is settled, one as faithful, that of gold is 3/4 · 1/2, not 1/4 or 1/3.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TypeVar

from annotation.schemes import ACCEPTANCE, GROUNDING
from exports.results.bounds import Asked, Bounds, rate_bounds
from exports.rows.columns import AnswerRow
from exports.rows.ids import conversation
from exports.rows.per_run import KINDS
from stats import two_step_rates
from stats.bootstrap_settings import Bootstrap
from stats.clustered_proportions import cluster_sums
from stats.paired_proportions import FOR_NO_OTHERS, Pair, Settled, pairs
from stats.proportion_intervals import Interval
from stats.two_step_rates import NOTHING_SETTLED, Questions, Steps, two_step_pairs

Json = dict[str, object]
MEASURES = ("plausible", "faithful", "gold")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Share:
    n_accepted: int
    n_questions: int


@dataclass(frozen=True, slots=True)
class Rate:
    """A run's rate by a measure, the product of its shares.

    `value` is None with a `reason`; the interval has its own reason.
    """

    run: str
    n_questions: int
    n_conversations: int
    design_effect: float | None
    n_accepted: int
    shares: tuple[Share, ...]
    value: float | None
    reason: str | None
    interval: Interval
    n_not_settled: int
    bounds: tuple[float, float] | None
    n_annotators: int = 0
    people_interval: Interval = FOR_NO_OTHERS
    share_of_people: float | None = None

    def to_dict(self) -> Json:
        bounds = None if self.bounds is None else list(self.bounds)
        return asdict(self) | {
            "shares": [asdict(share) for share in self.shares],
            "bounds": bounds,
        }


def rates(answers: Iterable[AnswerRow], measure: str, bootstrap: Bootstrap) -> list[Rate]:
    """Return the rates of the runs, in the order of `exports.rows.per_run`.

    They do not depend on the order of the answers. Raises ValueError for two answers of a run to a
    question.
    """
    rows = list(answers)
    bounds = {run: rate_bounds(of_run) for run, of_run in asked_answers(rows, measure).items()}
    if measure == "gold":
        runs = gold_steps(rows)
        return [_gold_rate(run, runs[run], bounds[run], bootstrap) for run in runs]
    settled = settled_questions(rows, measure)
    return [_rate(run, settled[run], bounds[run]) for run in settled]


def rate_pairs(answers: Iterable[AnswerRow], measure: str, bootstrap: Bootstrap) -> list[Pair]:
    """Compare every two runs that have a rate by the measure."""
    if measure == "gold":
        return two_step_pairs(gold_steps(answers), cluster=conversation, **asdict(bootstrap))
    return pairs(settled_questions(answers, measure), conversation)


def settled_questions(answers: Iterable[AnswerRow], measure: str) -> Mapping[str, Settled]:
    """Return by run the questions of its basis, and whether its answer is accepted."""
    return _by_run(answers, _plausible if measure == "plausible" else _faithful)


def gold_steps(answers: Iterable[AnswerRow]) -> Mapping[str, Questions]:
    """Return by run the questions whose plausibility is settled, with both steps to gold."""
    return _by_run(answers, _steps)


def asked_answers(answers: Iterable[AnswerRow], measure: str) -> Mapping[str, Mapping[str, Asked]]:
    """Return by run the answers that bounds are over, by question."""
    return _by_run(answers, ASKED[measure])


def _plausible(row: AnswerRow) -> bool | None:
    is_settled = row.plausibility in ACCEPTANCE.labels
    return row.plausibility == ACCEPTANCE.accepted if is_settled else None


def _faithful(row: AnswerRow) -> bool | None:
    is_settled = _plausible(row) and row.faithfulness in GROUNDING.labels
    return row.faithfulness == GROUNDING.accepted if is_settled else None


def _steps(row: AnswerRow) -> Steps | None:
    is_plausible = _plausible(row)
    return None if is_plausible is None else Steps(is_plausible, _faithful(row))


def _asked_plausible(row: AnswerRow) -> Asked:
    return Asked(row.answer_id, _plausible(row))


def _asked_faithful(row: AnswerRow) -> Asked | None:
    return Asked(row.answer_id, _faithful(row)) if _plausible(row) else None


def _asked_gold(row: AnswerRow) -> Asked:
    return Asked(row.answer_id, _faithful(row) if _plausible(row) else _plausible(row))


ASKED: dict[str, Callable[[AnswerRow], Asked | None]] = {
    "plausible": _asked_plausible,
    "faithful": _asked_faithful,
    "gold": _asked_gold,
}


def _by_run(
    answers: Iterable[AnswerRow], outcome: Callable[[AnswerRow], T | None]
) -> dict[str, dict[str, T]]:
    """Return by run the questions for which its drawn answer has an outcome, with the outcome."""
    found: dict[tuple[int, str], dict[str, T]] = {}
    for row in answers:
        questions = found.setdefault((KINDS.index(row.kind), row.run), {})
        known = outcome(row) if row.sampled == "drawn" else None
        if known is not None:
            if row.turn_id in questions:
                raise ValueError(f"the run {row.run!r} has two answers to {row.turn_id!r}")
            questions[row.turn_id] = known
    return {run: found[kind, run] for kind, run in sorted(found)}


def _rate(run: str, outcomes: Settled, bounds: Bounds) -> Rate:
    n, n_accepted = len(outcomes), sum(outcomes.values())
    of = cluster_sums(outcomes, conversation)
    return Rate(
        run=run,
        n_questions=n,
        n_conversations=of.n_clusters,
        design_effect=of.design_effect,
        n_accepted=n_accepted,
        shares=(Share(n_accepted, n),),
        value=n_accepted / n if n else None,
        reason=None if n else NOTHING_SETTLED,
        interval=of.interval_of_share() if n else Interval(None, None, NOTHING_SETTLED),
        **bounds._asdict(),
    )


def _gold_rate(run: str, questions: Questions, bounds: Bounds, bootstrap: Bootstrap) -> Rate:
    found = two_step_rates.counts(questions)
    shares: tuple[Share, ...] = (Share(found.n_second, found.n),)
    design_effect = None
    if found.is_complete:
        ends = {question: bool(steps.passes_second) for question, steps in questions.items()}
        design_effect = cluster_sums(ends, conversation).design_effect
    else:
        shares = (Share(found.n_first, found.n), Share(found.n_second, found.n_known))
    return Rate(
        run=run,
        n_questions=found.n,
        n_conversations=len({conversation(question) for question in questions}),
        design_effect=design_effect,
        n_accepted=found.n_second,
        shares=shares,
        value=found.value,
        reason=found.reason,
        interval=two_step_rates.rate_interval(questions, cluster=conversation, **asdict(bootstrap)),
        **bounds._asdict(),
    )
