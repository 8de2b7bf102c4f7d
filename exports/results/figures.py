"""The figures that compare runs, as a report and the page of results store them. Imports no Django."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from statistics import median

from annotation.schemes import ACCEPTANCE
from exports.results.rates import MEASURES, Measure, Rate, rates, settled_questions
from exports.rows.columns import AnswerRow, ItemRow, JudgementRow
from exports.rows.exclusions import EXCLUDED, answers_without_exclusions
from stats import power
from stats.bootstrap_settings import Bootstrap
from stats.paired_proportions import LEVEL, Pair, groups, pairs

Json = dict[str, object]
# Differences for which the number of questions needed is computed.
DIFFERENCES = (0.05, 0.1)
ONE_RUN = "it takes two runs with settled answers"


def run_figures(
    *,
    answers: Sequence[AnswerRow],
    items: Sequence[ItemRow],
    judgements: Sequence[JudgementRow],
    bootstrap: Bootstrap,
) -> Json:
    """Rates, pairs and detectable differences by measure, and the rates without exclusions."""
    settings = asdict(bootstrap)
    return {
        "drawn": draw_kind(items),
        "measures": {measure.name: _measure(answers, measure, settings) for measure in MEASURES},
        "with_excluded": _rates_with_excluded(answers, items, judgements, settings),
    }


def draw_kind(items: Sequence[ItemRow]) -> str:
    """Whether the answers that were asked about had equal inclusion probabilities.

    Return "all" if each is 1, "equally" if all are the same number below 1, else "unequally": if
    the draw preferred questions on which runs disagree, gave strata equal shares, or was a cap or
    an audit sample. Rates and pairs are not weighted: drawn unequally they are about the drawn
    questions, not about all.
    """
    probabilities = {
        item.inclusion_probability
        for item in items
        if item.scheme == ACCEPTANCE.name and not item.is_control
    }
    if len(probabilities) > 1:
        return "unequally"
    return "equally" if probabilities - {1.0} else "all"


def _measure(answers: Sequence[AnswerRow], measure: Measure, settings: Mapping[str, int]) -> Json:
    runs = settled_questions(answers, measure)
    found = rates(runs, measure, **settings)
    tested = pairs(runs, **settings)
    return {
        "rates": [rate.to_dict() for rate in found],
        "pairs": [asdict(pair) for pair in tested],
        "n_tested": sum(pair.p is not None for pair in tested),
        "groups": groups({rate.run: rate.value for rate in found}, tested),
        "typical": typical_pair(tested),
    }


def typical_pair(tested: Sequence[Pair]) -> Json:
    """The detectable differences of a typical pair of runs.

    It has the median number of common questions over the pairs that have any, and the discordance
    of all their common questions together. `detectable` is for one planned comparison,
    `detectable_holm` for the first of the m pairs that were tested, at .05 / m.
    """
    known = [pair for pair in tested if pair.n_questions]
    n = float(median(pair.n_questions for pair in known)) if known else 0.0
    n_all = sum(pair.n_questions for pair in known)
    n_discordant = sum(pair.n_only_one + pair.n_only_other for pair in known)
    discordance = n_discordant / n_all if n_all else 0.0
    n_tested = sum(pair.p is not None for pair in tested)
    smallest, reason = power.detectable_difference(n, discordance)
    after_holm, holm_reason = power.detectable_difference(
        n, discordance, level=LEVEL / max(1, n_tested)
    )
    return {
        "n_pairs": len(known),
        "n_questions": n,
        "discordance": discordance if known else None,
        "detectable": smallest,
        "reason": reason if tested else ONE_RUN,
        "detectable_holm": after_holm,
        "holm_reason": holm_reason if tested else ONE_RUN,
        "needed": [
            {"difference": each, "n_questions": power.questions_needed(discordance, each)}
            for each in DIFFERENCES
        ],
    }


def _rates_with_excluded(
    answers: Sequence[AnswerRow],
    items: Sequence[ItemRow],
    judgements: Sequence[JudgementRow],
    settings: Mapping[str, int],
) -> Json:
    """The rates as if no item were excluded, and the number of answers of each run that this
    changes.
    """
    if not any(EXCLUDED in (row.plausibility, row.faithfulness) for row in answers):
        return {"n_excluded": 0, "rates": {}}
    without_exclusions = answers_without_exclusions(answers, items, judgements)
    by_run: dict[str, int] = {}
    for run, rows in groupby(sorted(answers, key=lambda row: row.run), lambda row: row.run):
        by_run[run] = sum(EXCLUDED in (row.plausibility, row.faithfulness) for row in rows)
    return {
        "n_excluded": sum(by_run.values()),
        "rates": {
            measure.name: [
                rate.to_dict() | {"n_excluded": by_run[rate.run]}
                for rate in _rates(without_exclusions, measure, settings)
            ]
            for measure in MEASURES
        },
    }


def _rates(
    answers: Sequence[AnswerRow], measure: Measure, settings: Mapping[str, int]
) -> list[Rate]:
    return rates(settled_questions(answers, measure), measure, **settings)
