"""The figures that compare runs, as a report and the page of results store them. Imports no Django."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from math import fsum
from statistics import median

from annotation.schemes import ACCEPTANCE
from exports.results.bounds import Asked, difference_bounds
from exports.results.people import PeopleOfRuns, run_votes
from exports.results.rates import MEASURES, asked_answers, rate_pairs, rates
from exports.results.weighted import answer_weights, weighted_rates
from exports.rows.columns import AnswerRow, ItemRow, JudgementRow
from exports.rows.exclusions import EXCLUDED, answers_without_exclusions
from stats import power
from stats.bootstrap_settings import Bootstrap
from stats.multiplicity import LEVEL
from stats.paired_proportions import Pair, groups
from stats.people_of_rates import Votes
from stats.two_step_rates import OPEN

Json = dict[str, object]
# Differences for which the number of questions needed is computed.
DIFFERENCES = (0.05, 0.1)
# Fields of pairs that reports name otherwise.
NAMES = {"n_clusters": "n_conversations"}
ONE_RUN = "it takes two runs with settled answers"


def run_figures(
    *,
    answers: Sequence[AnswerRow],
    items: Sequence[ItemRow],
    judgements: Sequence[JudgementRow],
    bootstrap: Bootstrap,
) -> Json:
    """Rates, pairs and detectable differences by measure, and the rates without exclusions.

    Of the runs that compete: extracted sentences are no system's.
    """
    answers = [row for row in answers if row.competes]
    votes, kind = run_votes(answers, judgements), draw_kind(items)
    weights = answer_weights(items) if kind == "unequally" else None
    return {
        "drawn": kind,
        "measures": {
            measure: _measure(answers, measure, bootstrap, votes, weights) for measure in MEASURES
        },
        "with_excluded": _rates_with_excluded(answers, items, judgements, bootstrap),
    }


def draw_kind(items: Sequence[ItemRow]) -> str:
    """Whether the answers that were asked about had equal inclusion probabilities.

    Return "all" if each is 1, "equally" if all are the same number below 1, else "unequally": if
    the draw preferred questions on which runs disagree, gave strata equal shares, or was a cap or
    an audit sample. Drawn unequally rates and pairs are about the drawn questions; the weighted
    rates beside them are about all.
    """
    probabilities = {
        item.inclusion_probability
        for item in items
        if item.scheme == ACCEPTANCE.name and not item.is_control
    }
    if len(probabilities) > 1:
        return "unequally"
    return "equally" if probabilities - {1.0} else "all"


def _measure(
    answers: Sequence[AnswerRow],
    measure: str,
    bootstrap: Bootstrap,
    votes: Votes,
    weights: Mapping[str, float] | None,
) -> Json:
    weighted = weighted_rates(answers, measure, weights) if weights else {}
    people = PeopleOfRuns.of(answers, measure, votes)
    found = people.rates(rates(answers, measure, bootstrap))
    compared = people.pairs(rate_pairs(answers, measure, bootstrap))
    asked = asked_answers(answers, measure)
    n_open = sum(pair.p_reason == OPEN for pair in compared)
    return {
        "rates": [
            rate.to_dict()
            | {"weighted": asdict(weighted[rate.run]) if rate.run in weighted else None}
            for rate in found
        ],
        "pairs": [_pair(pair, asked[pair.one], asked[pair.other]) for pair in compared],
        "n_tested": sum(pair.p is not None for pair in compared),
        "n_open": n_open,
        # Runs that were not tested are not said to be alike.
        "groups": [] if n_open else groups({rate.run: rate.value for rate in found}, compared),
        "typical": typical_pair(compared),
    }


def _pair(pair: Pair, one: Mapping[str, Asked], other: Mapping[str, Asked]) -> Json:
    found = asdict(pair)
    n_not_settled, bounds = difference_bounds(one, other)
    return {
        **{NAMES.get(name, name): value for name, value in found.items()},
        "n_not_settled": n_not_settled,
        "bounds": None if bounds is None else list(bounds),
    }


def typical_pair(tested: Sequence[Pair]) -> Json:
    """The detectable differences of a typical pair of runs.

    It has the median number of common questions over the pairs that have any, and the discordance
    of all their common questions together, without pairs of which the discordant questions are not
    known (`stats.two_step_rates`). `design_effect` is the mean of the pairs' by their questions: so many
    of these questions are worth an independent one. `detectable` is for one planned comparison,
    `detectable_holm` for the first of the m pairs that were tested, at .05 / m.
    """
    known = [pair for pair in tested if pair.n_questions]
    n = float(median(pair.n_questions for pair in known)) if known else 0.0
    counted = [
        (pair.n_questions, pair.n_only_one + pair.n_only_other)
        for pair in known
        if pair.n_only_one is not None and pair.n_only_other is not None
    ]
    n_all = sum(n_questions for n_questions, _ in counted)
    discordance = sum(n_discordant for _, n_discordant in counted) / n_all if n_all else 0.0
    deff = _design_effect(known)
    n_tested = sum(pair.p is not None for pair in tested)
    smallest, reason = power.detectable_difference(n / deff, discordance)
    after_holm, holm_reason = power.detectable_difference(
        n / deff, discordance, level=LEVEL / max(1, n_tested)
    )
    if known and not counted:
        reason = holm_reason = OPEN
    return {
        "n_pairs": len(known),
        "n_questions": n,
        "discordance": discordance if counted else None,
        "design_effect": deff,
        "detectable": smallest,
        "reason": reason if tested else ONE_RUN,
        "detectable_holm": after_holm,
        "holm_reason": holm_reason if tested else ONE_RUN,
        "needed": [
            {
                "difference": each,
                "n_questions": power.questions_needed(discordance, each, deff=deff),
            }
            for each in DIFFERENCES
        ],
    }


def _design_effect(pairs: Sequence[Pair]) -> float:
    """The mean design effect of the pairs with discordant questions, by their questions; 1 without any.

    Where two runs always end alike a conversation counts as one question, which says nothing of others.
    """
    counted = [
        (pair.n_questions, pair.design_effect)
        for pair in pairs
        if pair.design_effect is not None and (pair.n_only_one or pair.n_only_other)
    ]
    n = sum(n_questions for n_questions, _ in counted)
    return fsum(n_questions * deff for n_questions, deff in counted) / n if n else 1.0


def _rates_with_excluded(
    answers: Sequence[AnswerRow],
    items: Sequence[ItemRow],
    judgements: Sequence[JudgementRow],
    bootstrap: Bootstrap,
) -> Json:
    """The rates as if no item were excluded, and the number of answers of each run that this
    changes.
    """
    if not any(EXCLUDED in (row.plausibility, row.faithfulness) for row in answers):
        return {"n_excluded": 0, "rates": {}}
    without_exclusions = answers_without_exclusions(answers, items, judgements)
    votes = run_votes(without_exclusions, judgements)
    by_run: dict[str, int] = {}
    for run, rows in groupby(sorted(answers, key=lambda row: row.run), lambda row: row.run):
        by_run[run] = sum(EXCLUDED in (row.plausibility, row.faithfulness) for row in rows)
    return {
        "n_excluded": sum(by_run.values()),
        "rates": {
            measure: [
                rate.to_dict() | {"n_excluded": by_run[rate.run]}
                for rate in PeopleOfRuns.of(without_exclusions, measure, votes).rates(
                    rates(without_exclusions, measure, bootstrap)
                )
            ]
            for measure in MEASURES
        },
    }
