"""The bootstrap over questions of coefficients that are functions of sums over questions."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

import numpy as np

from stats.agreement.judgement_table import Floats, Ints
from stats.bootstrap import PercentileInterval, interval, require_enough

# 4 million weights are 64 MB while they are multiplied; the result does not depend on it
WEIGHTS_AT_ONCE = 4_000_000

Statistic = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True, kw_only=True)
class BootstrapInterval(PercentileInterval):
    n_questions: int
    seed: int


def bootstrap(sums: Ints, statistic: Statistic, *, replicates: int, seed: int) -> BootstrapInterval:
    """Percentile interval over questions drawn with replacement, exactly as follows.

    1. `sums` has one row of whole numbers a question (`judgement_table.Sums` or, for Cohen's κ, the cells of
       the two workers' table row by row). Q is the number of rows.
    2. Equal rows are one pattern. The patterns are sorted as lists of numbers (first column first);
       n_p is how many questions have pattern p.
    3. `weights = numpy.random.default_rng(seed).multinomial(Q, n_p / Q, size=replicates)`: how often
       each pattern is drawn, which has the same distribution as drawing Q questions one by one.
    4. A replicate's totals are Σ_p weight·row, and its value the coefficient of these totals.
    5. `numpy.percentile(defined values, [2.5, 97.5])`, linear interpolation.

    Undefined, with the reason: one question; no defined replicate; all replicates equal (perfect
    agreement everywhere says nothing of how far chance could carry it, so no interval of width 0).

    Memory: patterns by columns, and never more than 4 million weights at a time (64 MB): 16,000
    questions no two of which are alike would take 256 MB in one piece.

    `statistic` gives NaN for totals for which the coefficient is undefined. Raises ValueError for
    fewer than 1,000 replicates.
    """
    values = statistic(replicate_totals(sums, replicates=replicates, seed=seed))
    return interval_of(values, n_questions=len(sums), seed=seed)


def interval_of(values: Floats, *, n_questions: int, seed: int) -> BootstrapInterval:
    """Step 5 of `bootstrap`, of the values of one figure's replicates, NaN where undefined."""
    found = interval(values)
    if n_questions == 1:
        found = replace(found, low=None, high=None, reason="a single question")
    return BootstrapInterval(**asdict(found), n_questions=n_questions, seed=seed)


def no_interval(reason: str, seed: int) -> BootstrapInterval:
    return BootstrapInterval(
        None, None, reason, n_replicates=0, n_undefined=0, n_questions=0, seed=seed
    )


def replicate_totals(sums: Ints, *, replicates: int, seed: int) -> Floats:
    """The totals of each replicate, (replicates, columns): steps 1 to 4 of `bootstrap`.

    They are whole numbers below 2**53, so the float product is exact in any order and any pieces.
    """
    require_enough(replicates)
    patterns, n_questions = distinct_rows(sums)
    rng = np.random.default_rng(seed)
    pieces = _pieces(replicates, max(1, WEIGHTS_AT_ONCE // len(patterns)))
    shares = n_questions / len(sums)
    rows = patterns.astype(np.float64)
    drawn = [rng.multinomial(len(sums), shares, size=n).astype(np.float64) @ rows for n in pieces]
    return np.concatenate(drawn)


def distinct_rows(matrix: Ints) -> tuple[Ints, Ints]:
    """The distinct rows, sorted as lists of numbers ≥ 0, and how often each occurs.

    As `numpy.unique(axis=0)`, but over one whole number a row, which is thirty times faster.
    """
    key, span = np.zeros(len(matrix), np.int64), 1
    for column in matrix.T:
        width = int(column.max()) + 1
        if span * width >= 2**62:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            span = len(matrix)
        key, span = key * width + column, span * width
    _, first, n_rows = np.unique(key, return_index=True, return_counts=True)
    return matrix[first], n_rows.astype(np.int64)


def _pieces(total: int, at_once: int) -> list[int]:
    return [min(at_once, total - start) for start in range(0, total, at_once)]
