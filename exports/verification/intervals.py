"""Intervals: the bootstrap over conversations, Wilson's, and quantiles of Student's t."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, floor, lgamma, log, log1p, pi, sqrt
from statistics import NormalDist
from typing import Any

from exports.verification.draws import Generator
from exports.verification.findings import NOT_DRAWN, WORDS

Z = NormalDist().inv_cdf(0.975)
# How often each pattern of a conversation is drawn.
Draw = tuple[tuple[tuple[int, ...], int], ...]


@dataclass(frozen=True)
class Bootstrap:
    """How a report draws; `is_drawn` is false where nobody asked for the intervals to be checked."""

    seed: int
    replicates: int
    is_drawn: bool = True


def draws(
    rows: Mapping[str, tuple[int, ...]], bootstrap: Bootstrap, *, is_defined: bool
) -> list[Draw]:
    """Return, for each replicate, how often each pattern is drawn; none where nothing is to be drawn."""
    if not (bootstrap.is_drawn and is_defined and rows):
        return []
    patterns = sorted(Counter(rows.values()).items())
    shares = tuple(n / len(rows) for _, n in patterns)
    counts = _counts(bootstrap.seed, len(rows), shares, bootstrap.replicates)
    return [
        tuple((pattern, times) for (pattern, _), times in zip(patterns, draw)) for draw in counts
    ]


@lru_cache(maxsize=8)  # several figures draw from the same conversations
def _counts(seed: int, n: int, shares: tuple[float, ...], size: int) -> list[list[int]]:
    return list(Generator(seed).multinomials(n, shares, size))


def interval(
    values: Sequence[Any], n_questions: int, bootstrap: Bootstrap, *, is_defined: bool
) -> dict[str, Any]:
    """What a report says of an interval, of the values of all replicates."""
    if is_defined and not bootstrap.is_drawn:
        ends: dict[str, Any] = dict.fromkeys(("low", "high", "reason", "n_undefined"), NOT_DRAWN)
        n_replicates = bootstrap.replicates
    else:
        defined = [float(each) for each in values if each is not None]
        ends = _ends(defined, n_questions) | {"n_undefined": len(values) - len(defined)}
        n_replicates = len(values)
    return {
        **ends,
        "n_questions": n_questions,
        "n_replicates": n_replicates,
        "seed": bootstrap.seed,
    }


def _ends(defined: Sequence[float], n_questions: int) -> dict[str, Any]:
    if n_questions < 2 or not defined or max(defined) - min(defined) < 1e-12:
        return {"low": None, "high": None, "reason": WORDS}
    ordered = sorted(defined)
    low, high = (_percentile(ordered, share) for share in (0.025, 0.975))
    return {"low": low, "high": high, "reason": None}


def _percentile(ordered: Sequence[float], share: float) -> float:
    """Between two values in proportion."""
    place = share * (len(ordered) - 1)
    below = floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def without_interval() -> dict[str, Any]:
    return {"low": None, "high": None, "reason": WORDS}


def wilson(k: float, n: int, z: float | None) -> dict[str, Any]:
    """The two shares p for which (k/n - p)² = z²·p(1 - p)/n."""
    if z is None:
        return without_interval()
    square, slope, rest = 1 + z * z / n, -2 * k / n - z * z / n, (k / n) ** 2
    root = sqrt(max(0.0, slope**2 - 4 * square * rest))
    ends = (-slope - root) / (2 * square), (-slope + root) / (2 * square)
    return {"low": ends[0], "high": ends[1], "reason": None}


@lru_cache(maxsize=1000)
def t_quantile(df: float, share: float = 0.975) -> float:
    """Student's t, by Newton's steps from the normal quantile, which is below it: each comes nearer from below."""
    t = NormalDist().inv_cdf(share)
    for _ in range(100):
        step = (share - t_share(t, df)) / _t_density(t, df)
        t += step
        if step < 1e-14 * t:
            break
    return t


def _t_density(t: float, df: float) -> float:
    scale = exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(df * pi)
    return float(scale * (1 + t * t / df) ** (-(df + 1) / 2))


def t_share(t: float, df: float) -> float:
    """P(T <= t), for t >= 0: from the incomplete beta function of df / (df + t²), df / 2 and 1 / 2."""
    x = df / (df + t * t)
    return 1 - _incomplete_beta(x, df / 2, 0.5) / 2


def _incomplete_beta(x: float, a: float, b: float) -> float:
    if x in (0, 1):
        return x
    scale = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return scale * _beta_fraction(x, a, b) / a
    return 1 - scale * _beta_fraction(1 - x, b, a) / b


def _beta_fraction(x: float, a: float, b: float) -> float:
    """The continued fraction 8.17.22 of the NIST Digital Library of Mathematical Functions, from its start (Lentz)."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 1000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            c, d = 1 + numerator / c, 1 / (1 + numerator * d)
            value *= c * d
        if abs(c * d - 1) < 3e-16:
            break
    return value
