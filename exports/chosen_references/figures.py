"""How the ranking of runs by a measure changes with the references, and how it is like that of people.

Without Django.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from stats.bootstrap import Floats
from stats.correlation import correlations
from stats.means import DIGITS
from stats.rank_changes import places, tau_ap

TRUTH = "truth"
PEOPLE = "people"
Json = dict[str, Any]


def ranking_figures(
    runs: Sequence[str], means: Mapping[str, Sequence[float]], rates: Sequence[float]
) -> Json:
    """Return the runs with their means and places by each choice of references, and how alike these rank them.

    `means` has a mean for each run, NaN if undefined, by choice, truth first; `rates` are people's, NaN where
    nobody judged. Places count from 1, for the highest mean; tied runs share the mean of theirs. A change is the
    place by truth minus the place by the other references: above 0 the run rises.
    """
    columns = {
        choice: np.round(np.array(values, dtype=float), DIGITS) for choice, values in means.items()
    }
    place = {choice: places(values[None, :])[0] for choice, values in columns.items()}
    return {
        "runs": [
            {
                "run": run,
                "means": {choice: _number(values[at]) for choice, values in columns.items()},
                "places": {choice: _number(values[at]) for choice, values in place.items()},
                "changes": {
                    choice: _number(place[TRUTH][at] - values[at])
                    for choice, values in place.items()
                    if choice != TRUTH
                },
                "people": _number(rates[at]),
            }
            for at, run in enumerate(runs)
        ],
        "pairs": list(_pairs(columns | {PEOPLE: np.round(np.array(rates, dtype=float), DIGITS)})),
    }


def _pairs(columns: Mapping[str, Floats]) -> list[Json]:
    """Return both coefficients of every two rankings, over the runs that both have."""
    return [_pair(one, other, columns) for one, other in combinations(columns, 2)]


def _pair(one: str, other: str, columns: Mapping[str, Floats]) -> Json:
    """Return Kendall's τ_b, and τ_AP of the ranking by `other` against that by `one`.

    τ_AP is not symmetric. Of two choices of references it is that of the ranking by more against that by fewer, and
    of people that of the measure's ranking against theirs.
    """
    values = np.stack([columns[one], columns[other]], axis=1)
    kendall = next(
        each for each in correlations((one, other), values) if each.coefficient == "kendall_tau_b"
    )
    both = values[~np.isnan(values).any(axis=1)]
    scores, reference = (both[:, 0], both[:, 1]) if other == PEOPLE else (both[:, 1], both[:, 0])
    ap = float(tau_ap(scores[None, :], reference[None, :])[0])
    return {
        "one": one,
        "other": other,
        "n_runs": kendall.n_runs,
        "tau_b": kendall.value,
        "tau_ap": _number(ap),
        "reason": kendall.reason,
    }


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
