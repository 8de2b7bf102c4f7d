"""Differences between every two runs: Tango's interval, McNemar's test or flipped signs, Holm, power."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import sqrt
from statistics import NormalDist
from typing import Any

from exports.verification.findings import WORDS
from exports.verification.intervals import Bootstrap, without_interval
from exports.verification.products import difference_of_products, drawn_interval
from exports.verification.run_steps import (
    Asked,
    Step,
    Steps,
    bounds,
    conversation_sums,
    design_effect,
    is_good,
    is_open,
    n_conversations,
    shares_of_steps,
    z_of,
)

LEVEL, POWER = 0.05, 0.8
Both = Mapping[str, tuple[Step, Step]]


def pairs_of_runs(
    steps: Mapping[str, Steps], asked: Mapping[str, Asked], name: str, bootstrap: Bootstrap
) -> list[dict[str, Any]]:
    has_rate = [run for run, of in steps.items() if all(n for _, n in shares_of_steps(of, name))]
    pairs = []
    for one, other in combinations(has_rate, 2):
        common = sorted(steps[one].keys() & steps[other].keys())
        both = {turn: (steps[one][turn], steps[other][turn]) for turn in common}
        is_tested = not any(is_open(steps[run], name) for run in (one, other))
        figures = _tested_pair(both, name) if is_tested else _open_pair(both, bootstrap)
        counts = {"n_questions": len(both), "n_conversations": n_conversations(both)}
        limits = _difference_bounds(asked[one], asked[other])
        pairs.append({"one": one, "other": other, **counts, **figures, **limits})
    return pairs


def with_holm(pairs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Which of the pairs differ significantly by all tests together."""
    return [
        {**pair, "p_holm": p, "is_told_apart": p is not None and p <= LEVEL}
        for pair, p in zip(pairs, _holm([pair["p"] for pair in pairs]))
    ]


def _difference_bounds(one: Asked, other: Asked) -> dict[str, Any]:
    alike = Counter(
        (end, other[turn][1], text == other[turn][0])
        for turn, (text, end) in one.items()
        if turn in other
    )
    ways = []
    for (end, other_end, is_same), n in alike.items():
        ends, others = ([0, 1] if each is None else [each] for each in (end, other_end))
        possible = [0] if is_same else [a - b for a in ends for b in others]
        ways += [(min(possible), max(possible))] * n
    n_open = sum(n for (*ends, _), n in alike.items() if None in ends)
    return {"n_not_settled": n_open, "bounds": bounds(ways)}


def _tested_pair(both: Both, name: str) -> dict[str, Any]:
    ended = {t: (is_good(one, name), is_good(other, name)) for t, (one, other) in both.items()}
    ends = list(ended.values())
    n, b, c = len(both), ends.count((1, 0)), ends.count((0, 1))
    differences = {turn: one - other for turn, (one, other) in ended.items()}
    effect = design_effect(differences)
    z = z_of(differences, effect)
    detectable = detectable_difference(n / effect, (b + c) / n) if effect else None
    p = _p(differences)
    return {
        "n_only_one": b,
        "n_only_other": c,
        "difference": (b - c) / n if n else None,
        "reason": None if n else WORDS,
        "interval": tango(b, c, n, z) if z else without_interval(),
        "design_effect": effect,
        "p": p,
        "p_reason": WORDS if p is None else None,
        "detectable": detectable,
        "detectable_reason": None if detectable is not None else WORDS,
    }


def _open_pair(both: Both, bootstrap: Bootstrap) -> dict[str, Any]:
    rows = {turn: (*one, *other) for turn, (one, other) in both.items()}
    totals = [len(rows), *(sum(column) for column in zip(*rows.values()))]
    value = difference_of_products(totals) if rows else None
    return {
        "n_only_one": None,
        "n_only_other": None,
        "difference": None if value is None else float(value),
        "reason": WORDS if value is None else None,
        "interval": without_interval()
        if value is None
        else drawn_interval(rows, difference_of_products, bootstrap),
        "design_effect": None,
        "p": None,
        "p_reason": WORDS,
        "detectable": None,
        "detectable_reason": WORDS,
    }


def _p(differences: Mapping[str, int]) -> float | None:
    """McNemar's where each conversation has one turn, else by flipping the signs of conversations."""
    sums = [s for s, _ in conversation_sums(differences)]
    total, n_discordant = abs(sum(sums)), sum(map(abs, differences.values()))
    if len(sums) == len(differences):
        z = total / sqrt(n_discordant) if n_discordant else None
        return None if z is None else 2 * NormalDist().cdf(-z)
    if len(sums) == 1 or not any(sums):
        return None
    # How many of the 2^n ways reach each sum: the digits of one number, from the least sum on in steps of 2.
    digit, ways = len(sums) + 1, 1
    for each in sums:
        ways += ways << (digit * abs(each))
    n_below = (sum(map(abs, sums)) - total) // 2  # digits before and at -total
    below = ways & ((1 << (digit * (n_below + 1))) - 1)
    n_far = 2 * (below % ((1 << digit) - 1))  # the sum of the digits; as many are as far above
    return min(1.0, float(Fraction(n_far, 1 << len(sums))))


def tango(b: int, c: int, n: int, z: float) -> dict[str, Any]:
    """By halving, for each end, the differences on one side of the observed one."""

    def statistic(d: float) -> float:
        middle = (2 * n - b + c) * d - b - c
        q = (sqrt(max(0.0, middle**2 + 8 * n * c * d * (1 - d))) - middle) / (4 * n)
        return (b - c - n * d) / sqrt(max(n * (2 * q + d * (1 - d)), 1e-30))

    ends = []
    for low, high, limit in ((-1.0, (b - c) / n, z), ((b - c) / n, 1.0, -z)):
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if statistic(middle) > limit else (low, middle)
        ends.append(low)
    return {"low": ends[0], "high": ends[1], "reason": None}


def _holm(values: Sequence[float | None]) -> list[float | None]:
    """Each p times the number of those that are not smaller, and no smaller than what comes before."""
    order = sorted((p, at) for at, p in enumerate(values) if p is not None)
    adjusted: list[float | None] = [None] * len(values)
    most = 0.0
    for i, (p, at) in enumerate(order):
        most = max(most, min(1.0, (len(order) - i) * p))
        adjusted[at] = most
    return adjusted


def n_to_detect(discordance: float, difference: float, level: float) -> float:
    """The questions on which a difference is detected with the power (Connor 1987)."""
    z = NormalDist().inv_cdf
    missed = z(POWER) * sqrt(max(0.0, discordance - difference**2))
    return ((z(1 - level / 2) * sqrt(discordance) + missed) / difference) ** 2


def detectable_difference(n: float, discordance: float, level: float = LEVEL) -> float | None:
    """By halving, to a millionth, the upper end."""
    if not n or not discordance or n_to_detect(discordance, discordance, level) > n:
        return None
    low, high = 0.0, discordance
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if n_to_detect(discordance, middle, level) > n else (low, middle)
    return high
