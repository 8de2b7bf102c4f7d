"""The figures of measures against people's verdicts, as JSON values with reasons for undefined
ones.
"""

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from sampling.pools.histogram import scale_of
from stats.bootstrap import Floats
from stats.correlation import correlations
from stats.means import DIGITS
from stats.roc import Unit, area, precision_at_thresholds

SEED = 0
Json = dict[str, object]


def answer_figures(units: Sequence[Unit]) -> Json:
    """How well the measure separates plausible answers from others: ROC, its area, precision at
    thresholds.
    """
    found = area(units, seed=SEED)
    return {
        "area": asdict(found),
        "thresholds": [
            asdict(each) for each in precision_at_thresholds(units, thresholds(units), seed=SEED)
        ],
    }


def thresholds(units: Sequence[Unit]) -> list[float]:
    """Thresholds from below the lowest value of a settled answer up, in round steps, .05 for SAS."""
    if not units:
        return []
    values = [unit.value for unit in units]
    step = scale_of(values).drop
    first = int(np.ceil(min(values) / step)) - 1
    last = int(np.ceil(max(values) / step))
    return [round(place * step, DIGITS) for place in range(first, last)]


def run_correlations(
    name: str, values: Floats, n_values: Floats, accepted: Floats, weights: Floats
) -> list[Json]:
    """The correlations of the measure's mean with people's rate over runs: Kendall's τ-b and
    Pearson's r.

    All arrays are (turns, runs): sum and number of the measure's values, sums of the weights of
    plausible and of all settled answers.
    """
    means = _ratio(values.sum(axis=0), n_values.sum(axis=0))
    rates = _ratio(accepted.sum(axis=0), weights.sum(axis=0))
    both = np.stack([means, rates], axis=1)
    return [asdict(each) for each in correlations((name, "plausible"), both)]


def _ratio(part: Floats, whole: Floats) -> Floats:
    """The ratio, NaN where `whole` is 0. It is rounded so that equal means tie in any order of
    summation.
    """
    found: Floats = np.full(part.shape, np.nan)
    np.divide(part, whole, out=found, where=whole > 0)
    return found.round(DIGITS)
