"""Rates of the runs for all questions, where the drawn ones had unequal chances: weighted by their inverse."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import fsum, sqrt
from typing import Any

from exports.verification.findings import WORDS
from exports.verification.intervals import t_quantile, wilson, without_interval
from exports.verification.run_steps import Steps, is_good, is_open
from exports.verification.tables import Rows, conversation_of


def weights_of_answers(items: Rows) -> dict[str, float]:
    return {
        row["answer_id"]: 1 / float(row["inclusion_probability"])
        for row in items
        if (row["scheme"], row["is_control"]) == ("plausibility", "false")
    }


def weighted_rate(
    run: str,
    steps: Steps,
    name: str,
    answers: Mapping[tuple[str, str], str],
    weights: Mapping[str, float],
) -> dict[str, Any]:
    """`answers` has by run and turn the answer's id."""
    known_weights = {turn: weights.get(answers[run, turn]) for turn in steps}
    w = {turn: weight for turn, weight in known_weights.items() if weight is not None}
    # Of a measure of one step: whether it passes, and that the second is settled and passes.
    two = {
        turn: step if name == "gold" else (is_good(step, name),) * 3 for turn, step in steps.items()
    }
    n_known = sum(known for _, known, _ in two.values())
    if not two or len(w) < len(two) or (any(a for a, _, _ in two.values()) and not n_known):
        return {"value": None, "reason": WORDS, "interval": without_interval()}
    total = fsum(w.values())
    known = fsum(w[turn] for turn, step in two.items() if step[1])
    p = fsum(w[turn] for turn, step in two.items() if step[0]) / total
    f = fsum(w[turn] for turn, step in two.items() if step[2]) / known if known else 0.0
    sums: dict[str, float] = defaultdict(float)
    sizes: dict[str, float] = defaultdict(float)
    for turn, (first, is_known, second) in two.items():
        score = f * w[turn] * (first - p) / total
        score += p * w[turn] * (second - f) / known if is_known else 0.0
        sums[conversation_of(turn)] += score
        sizes[conversation_of(turn)] += w[turn]
    limits = _limits(
        p * f, len(two), list(sums.values()), list(sizes.values()), is_open(steps, name)
    )
    return {"value": p * f, "reason": None, "interval": limits}


def _limits(
    value: float, n: int, sums: list[float], sizes: list[float], has_open: bool
) -> dict[str, Any]:
    c = len(sums)
    if c == 1:
        return without_interval()
    variance = c / (c - 1) * sum(each**2 for each in sums)
    t = t_quantile(c - 1)
    if has_open:
        low, high = value - t * sqrt(variance), value + t * sqrt(variance)
        return {"low": max(0.0, low), "high": min(1.0, high), "reason": None}
    if 0 < value < 1:
        effect = max(1.0, variance / (value * (1 - value) / (n - 1)))
    else:
        effect = n * sum(each**2 for each in sizes) / sum(sizes) ** 2
    return wilson(value * n, n, t * sqrt(effect))
