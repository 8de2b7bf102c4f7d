"""What is said of the runs beside each other, as a report and the page of results keep it. Plain Python."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from statistics import median

from annotation.schemes import ACCEPTANCE
from exports.results.rates import MEASURES, Measure, Rate, rates, settled
from exports.rows.columns import AnswerRow, ItemRow, JudgementRow
from exports.rows.exclusions import EXCLUDED, taken_in
from stats import power
from stats.bootstrap_settings import Bootstrap
from stats.paired_proportions import LEVEL, Pair, groups, pairs

Json = dict[str, object]
# The differences of which it is said what they would take.
DIFFERENCES = (0.05, 0.1)
ONE_RUN = "it takes two runs with settled answers"


def run_figures(
    *,
    answers: Sequence[AnswerRow],
    items: Sequence[ItemRow],
    judgements: Sequence[JudgementRow],
    bootstrap: Bootstrap,
) -> Json:
    """Rates, pairs and what could have been seen, by measure; and the rates with excluded items taken in."""
    drawn = asdict(bootstrap)
    return {
        "drawn": how_drawn(items),
        "measures": {measure.name: _measure(answers, measure, drawn) for measure in MEASURES},
        "with_excluded": _with_excluded(answers, items, judgements, drawn),
    }


def how_drawn(items: Sequence[ItemRow]) -> str:
    """Whether what was asked about had the same chance: rates and pairs are over it, and weigh nothing.

    "all" where each was certain to be asked about, "equally" where each had one chance below 1, else
    "unequally": where questions on which runs disagree were preferred, strata were given equal shares, a cap
    or an audit sample chose. Then the figures are about the drawn questions, not about all.
    """
    chances = {
        item.inclusion_probability
        for item in items
        if item.scheme == ACCEPTANCE.name and not item.is_control
    }
    if len(chances) > 1:
        return "unequally"
    return "equally" if chances - {1.0} else "all"


def _measure(answers: Sequence[AnswerRow], measure: Measure, drawn: Mapping[str, int]) -> Json:
    runs = settled(answers, measure)
    found = rates(runs, measure, **drawn)
    compared = pairs(runs, **drawn)
    return {
        "rates": [rate.to_dict() for rate in found],
        "pairs": [asdict(pair) for pair in compared],
        "n_tested": sum(pair.p is not None for pair in compared),
        "groups": groups({rate.run: rate.value for rate in found}, compared),
        "typical": typical(compared),
    }


def typical(compared: Sequence[Pair]) -> Json:
    """What a pair in the middle could show: the median of the common questions of all pairs that have any,
    with the discordance over all these questions together.

    `detectable` is for one planned comparison; `detectable_holm` for the first of all that were tested,
    at .05 / m.
    """
    known = [pair for pair in compared if pair.n_questions]
    n = float(median(pair.n_questions for pair in known)) if known else 0.0
    n_all = sum(pair.n_questions for pair in known)
    n_discordant = sum(pair.n_only_one + pair.n_only_other for pair in known)
    discordance = n_discordant / n_all if n_all else 0.0
    n_tested = sum(pair.p is not None for pair in compared)
    smallest, reason = power.detectable_difference(n, discordance)
    after_holm, holm_reason = power.detectable_difference(
        n, discordance, level=LEVEL / max(1, n_tested)
    )
    return {
        "n_pairs": len(known),
        "n_questions": n,
        "discordance": discordance if known else None,
        "detectable": smallest,
        "reason": reason if compared else ONE_RUN,
        "detectable_holm": after_holm,
        "holm_reason": holm_reason if compared else ONE_RUN,
        "needed": [
            {"difference": each, "n_questions": power.questions_needed(discordance, each)}
            for each in DIFFERENCES
        ],
    }


def _with_excluded(
    answers: Sequence[AnswerRow],
    items: Sequence[ItemRow],
    judgements: Sequence[JudgementRow],
    drawn: Mapping[str, int],
) -> Json:
    """The rates if nothing had been excluded, and how many answers of each run it changes."""
    if not any(EXCLUDED in (row.plausibility, row.faithfulness) for row in answers):
        return {"n_excluded": 0, "rates": {}}
    once_more = taken_in(answers, items, judgements)
    by_run: dict[str, int] = {}
    for run, rows in groupby(sorted(answers, key=lambda row: row.run), lambda row: row.run):
        by_run[run] = sum(EXCLUDED in (row.plausibility, row.faithfulness) for row in rows)
    return {
        "n_excluded": sum(by_run.values()),
        "rates": {
            measure.name: [
                rate.to_dict() | {"n_excluded": by_run[rate.run]}
                for rate in _rates(once_more, measure, drawn)
            ]
            for measure in MEASURES
        },
    }


def _rates(answers: Sequence[AnswerRow], measure: Measure, drawn: Mapping[str, int]) -> list[Rate]:
    return rates(settled(answers, measure), measure, **drawn)
