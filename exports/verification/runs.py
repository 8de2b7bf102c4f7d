"""What a report says of the runs beside each other: with pandas, numpy and scipy."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import ceil, sqrt
from statistics import NormalDist, median
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from exports.verification.findings import WORDS
from exports.verification.intervals import (
    Bootstrap,
    Z,
    drawn_interval,
    plain,
    ratio,
    sums_by,
    t_quantile,
    wilson,
    without_interval,
)
from exports.verification.per_run import EXTRACTED
from exports.verification.run_people import (
    POWER,
    Answers,
    Votes,
    answers_of_runs,
    common_turns,
    over_conversations,
    pairs_for_people,
    rate_for_people,
    tango,
    votes_of_runs,
)
from exports.verification.tables import Row, Rows
from exports.verification.verdicts import RULES, ballots, ended_by, labels_of_votes, likely_labels

MEASURES = ("plausible", "faithful", "gold")
LEVEL = 0.05


def figures_of_runs(
    answers: Rows, items: Rows, judgements: Rows, bootstrap: Bootstrap
) -> dict[str, Any]:
    answers = [row for row in answers if row["kind"] != EXTRACTED]  # no system's
    chances = {
        row["answer_id"]: float(row["inclusion_probability"])
        for row in items
        if (row["scheme"], row["is_control"]) == ("plausibility", "false")
    }
    drawn = "all" if set(chances.values()) <= {1.0} else "equally"
    drawn = "unequally" if len(set(chances.values())) > 1 else drawn
    weighing = chances if drawn == "unequally" else None
    votes = votes_of_runs(answers, judgements)
    found = {
        "drawn": drawn,
        "measures": {
            name: _measure(answers_of_runs(answers, name), bootstrap, votes, weighing)
            for name in MEASURES
        },
        "with_excluded": _with_excluded(answers, items, judgements, bootstrap),
    }
    return dict(plain(found))


def _measure(
    of_run: Mapping[str, Answers],
    bootstrap: Bootstrap,
    votes: Votes,
    chances: Mapping[str, float] | None,
) -> dict[str, Any]:
    rates = _rates_of_runs(of_run, bootstrap, votes)
    for rate in rates:
        rate["weighted"] = chances and _weighted_rate(of_run[rate["run"]].basis, chances)
    runs = [rate["run"] for rate in rates if rate["reason"] is None]
    pairs = [
        {"one": one, "other": other, **_pair(of_run[one], of_run[other], bootstrap)}
        for one, other in combinations(runs, 2)
    ]
    pairs = _with_holm(pairs_for_people(pairs, of_run, votes))
    n_open = sum(pair["n_only_one"] is None for pair in pairs)
    return {
        "rates": rates,
        "pairs": pairs,
        "n_tested": sum(pair["p"] is not None for pair in pairs),
        "n_open": n_open,
        "groups": [] if n_open else _groups({each["run"]: each["value"] for each in rates}, pairs),
        "typical": _typical(pairs),
    }


# --- rates


def _rates_of_runs(
    of_run: Mapping[str, Answers], bootstrap: Bootstrap, votes: Votes
) -> list[dict[str, Any]]:
    found = []
    for run, answers in of_run.items():
        rate = {"run": run, **_rate(answers.basis, bootstrap), **_bounds(answers.end, answers.end)}
        found.append({**rate, **rate_for_people(rate, answers, votes)})
    return found


def _rate(of: Answers, bootstrap: Bootstrap) -> dict[str, Any]:
    n, good, (first, known, second) = len(of.turn), int(of.good.sum()), of.steps.sum(axis=0)
    shares = [(first, n), (second, known)] if of.is_open else [(good, n)]
    effect = None if of.is_open else design_effect(of.good, of.conversation)
    is_defined = all(m for _, m in shares)
    if not is_defined:
        limits = without_interval()
    elif of.is_open:
        limits = drawn_interval(_rows_of_steps(of.conversation, of.steps), _product, bootstrap)
    else:
        limits = wilson(good, n, _z_of(of.conversation, effect))
    return {
        "n_questions": n,
        "n_conversations": of.n_conversations,
        "design_effect": effect,
        "n_accepted": good,
        "shares": [{"n_accepted": k, "n_questions": m} for k, m in shares],
        "value": float(np.prod([k / m for k, m in shares])) if is_defined else None,
        "reason": None if is_defined else WORDS,
        "interval": limits,
    }


def design_effect(values: np.ndarray, conversations: np.ndarray) -> float | None:
    """The variance of the mean over conversations by that over turns."""
    sizes = np.bincount(conversations)
    n, c = len(values), np.count_nonzero(sizes)
    if not n or c == 1 < n:
        return None
    if c == n:
        return 1.0
    if values.min() == values.max():
        return n / c
    apart = np.bincount(conversations, values) - values.mean() * sizes
    return max(1.0, float(c / (c - 1) * (apart**2).sum() / (n * values.var(ddof=1))))


def _z_of(conversations: np.ndarray, effect: float | None) -> float | None:
    """The z of an interval by the design effect; None where there is none."""
    if effect is None:
        return None
    c = len(np.unique(conversations))
    return Z if c == len(conversations) else t_quantile(c - 1) * sqrt(effect)


def _bounds(least: np.ndarray, most: np.ndarray) -> dict[str, Any]:
    """The shares if none, and if all, of what is open (NaN) is accepted."""
    ends = [np.nan_to_num(least).mean(), np.nan_to_num(most, nan=1).mean()] if len(least) else None
    return {"n_not_settled": np.isnan(least).sum(), "bounds": ends}


def _rows_of_steps(conversations: np.ndarray, *steps: np.ndarray) -> np.ndarray:
    return sums_by(np.column_stack([np.ones(len(conversations), int), *steps]), conversations)


def _product(totals: np.ndarray) -> np.ndarray:
    n, first, known, second = np.moveaxis(totals, -1, 0)
    return np.where(first == 0, 0.0, ratio(first, n) * ratio(second, known))


def _difference_of_products(totals: np.ndarray) -> np.ndarray:
    one, other = _product(totals[..., :4]), _product(totals[..., [0, 4, 5, 6]])
    return np.asarray(one - other)


def _weighted_rate(of: Answers, chances: Mapping[str, float]) -> dict[str, Any]:
    """For all questions, where the drawn ones had unequal chances: weighted by their inverse."""
    w = np.array([1 / chances.get(text, np.nan) for text in of.text])
    # Of a measure of one step: whether it passes, and that the second is settled and passes.
    x, k, y = of.steps.T if of.name == "gold" else (of.good, of.good, of.good)
    if not len(w) or np.isnan(w).any() or (x.any() and not k.any()):
        return {"value": None, "reason": WORDS, "interval": without_interval()}
    total, known = w.sum(), (w * k).sum()
    p, f = (w * x).sum() / total, (w * y).sum() / known if known else 0.0
    scores = f * w * (x - p) / total + (p * w * k * (y - f) / known if known else 0.0)
    value, n, c = p * f, len(w), of.n_conversations
    variance, t = over_conversations(scores, of.conversation), t_quantile(max(c - 1, 1))
    if c == 1:
        limits = without_interval()
    elif of.is_open:
        low, high = value - t * sqrt(variance), value + t * sqrt(variance)
        limits = {"low": max(0.0, low), "high": min(1.0, high), "reason": None}
    else:
        effect = n * (np.bincount(of.conversation, w) ** 2).sum() / total**2
        if 1e-12 < value < 1 - 1e-12:
            effect = max(1.0, variance / (value * (1 - value) / (n - 1)))
        limits = wilson(value * n, n, t * sqrt(effect))
    return {"value": value, "reason": None, "interval": limits}


# --- differences between every two runs: Tango's interval, McNemar's test or flipped signs, Holm, power


def _pair(one: Answers, other: Answers, bootstrap: Bootstrap) -> dict[str, Any]:
    first, second = common_turns(one, other)
    is_same = first.text == second.text
    least = np.nan_to_num(first.end) - np.nan_to_num(second.end, nan=1)
    most = np.nan_to_num(first.end, nan=1) - np.nan_to_num(second.end)
    is_unknown = np.isnan(first.end) | np.isnan(second.end)
    bounds = [np.where(is_same, 0, each).mean() for each in (least, most)] if len(least) else None
    limits = {"n_not_settled": is_unknown.sum(), "bounds": bounds}
    has_open = one.basis.is_open or other.basis.is_open
    first, second = common_turns(one.basis, other.basis)
    figures = _open_pair(first, second, bootstrap) if has_open else _tested_pair(first, second)
    counts = {"n_questions": len(first.turn), "n_conversations": first.n_conversations}
    return {**counts, **figures, **limits}


def _tested_pair(one: Answers, other: Answers) -> dict[str, Any]:
    differences, n = one.good - other.good, len(one.turn)
    b, c = int((differences == 1).sum()), int((differences == -1).sum())
    effect = design_effect(differences, one.conversation)
    z = _z_of(one.conversation, effect)
    detectable = detectable_difference(n / effect, (b + c) / n) if effect else None
    p = p_of_differences(differences, one.conversation)
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


def _open_pair(one: Answers, other: Answers, bootstrap: Bootstrap) -> dict[str, Any]:
    rows = _rows_of_steps(one.conversation, one.steps, other.steps)
    value = float(_difference_of_products(rows.sum(axis=0))) if len(rows) else np.nan
    limits = without_interval()
    if not np.isnan(value):
        limits = drawn_interval(rows, _difference_of_products, bootstrap)
    return {
        "n_only_one": None,
        "n_only_other": None,
        "difference": None if np.isnan(value) else value,
        "reason": WORDS if np.isnan(value) else None,
        "interval": limits,
        "design_effect": None,
        "p": None,
        "p_reason": WORDS,
        "detectable": None,
        "detectable_reason": WORDS,
    }


def p_of_differences(differences: np.ndarray, conversations: np.ndarray) -> float | None:
    """McNemar's where each conversation has one turn, else by flipping the signs of conversations."""
    sums = sums_by(differences, conversations)
    total, n_discordant = abs(int(sums.sum())), int(abs(differences).sum())
    if len(sums) == len(differences):
        return float(2 * stats.norm.sf(total / sqrt(n_discordant))) if n_discordant else None
    if len(sums) == 1 or not sums.any():
        return None
    shares = np.array([1.0])  # of the ways to flip the signs, by the sum that they lead to
    for each in abs(sums[sums != 0]):
        shares = (np.pad(shares, (0, 2 * each)) + np.pad(shares, (2 * each, 0))) / 2
    middle = len(shares) // 2
    return min(1.0, float(shares[: middle - total + 1].sum() + shares[middle + total :].sum()))


def _with_holm(pairs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each p times the number of those that are not smaller, and no smaller than what comes before."""
    p = pd.Series([pair["p"] for pair in pairs], dtype=float).dropna().sort_values(kind="stable")
    adjusted = (p * np.arange(len(p), 0, -1)).clip(upper=1).cummax().to_dict()
    return [
        {**pair, "p_holm": adjusted.get(at), "is_told_apart": adjusted.get(at, 1) <= LEVEL}
        for at, pair in enumerate(pairs)
    ]


def _n_to_detect(discordance: float, difference: float, level: float) -> float:
    """The questions on which a difference is detected with the power (Connor 1987)."""
    z = NormalDist().inv_cdf
    missed = z(POWER) * sqrt(max(0.0, discordance - difference**2))
    return ((z(1 - level / 2) * sqrt(discordance) + missed) / difference) ** 2


def detectable_difference(n: float, discordance: float, level: float = LEVEL) -> float | None:
    """By halving, to a millionth, the upper end."""
    if not n or not discordance or _n_to_detect(discordance, discordance, level) > n:
        return None
    low, high = 0.0, discordance
    while high - low > 1e-6:
        middle = (low + high) / 2
        is_less = _n_to_detect(discordance, middle, level) > n
        low, high = (middle, high) if is_less else (low, middle)
    return high


# --- all runs together


def _groups(rates: Mapping[str, float | None], pairs: Sequence[Any]) -> list[list[str]]:
    """The longest stretches of the runs by rate without two that differ significantly."""
    known = {run: rate for run, rate in rates.items() if rate is not None}
    ordered = sorted(known, key=lambda run: (-known[run], run))
    apart = {frozenset((p["one"], p["other"])) for p in pairs if p["is_told_apart"]}
    found: list[tuple[int, int]] = []
    for i in range(len(ordered)):
        j = i + 1
        while j < len(ordered) and not any(
            frozenset((run, ordered[j])) in apart for run in ordered[i:j]
        ):
            j += 1
        if not found or j > found[-1][1]:
            found.append((i, j))
    return [ordered[i:j] for i, j in found]


def _typical(pairs: Sequence[Any]) -> dict[str, Any]:
    known = [pair for pair in pairs if pair["n_questions"]]
    n = float(median([pair["n_questions"] for pair in known])) if known else 0.0
    counted = [pair for pair in known if pair["n_only_one"] is not None]
    n_discordant = sum(pair["n_only_one"] + pair["n_only_other"] for pair in counted)
    discordance = n_discordant / sum(pair["n_questions"] for pair in counted) if counted else None
    n_tested = sum(pair["p"] is not None for pair in pairs)
    effects = [
        (pair["n_questions"], pair["design_effect"])
        for pair in counted
        if pair["design_effect"] and pair["n_only_one"] + pair["n_only_other"]
    ]
    effect = sum(m * e for m, e in effects) / sum(m for m, _ in effects) if effects else 1.0
    one = detectable_difference(n / effect, discordance or 0.0)
    holm = detectable_difference(n / effect, discordance or 0.0, LEVEL / max(1, n_tested))
    return {
        "n_pairs": len(known),
        "n_questions": n,
        "discordance": discordance,
        "design_effect": effect,
        "detectable": one,
        "reason": WORDS if one is None else None,
        "detectable_holm": holm,
        "holm_reason": WORDS if holm is None else None,
        "needed": [
            {"difference": each, "n_questions": _needed(discordance, each, effect)}
            for each in (0.05, 0.1)
        ],
    }


def _needed(discordance: float | None, difference: float, effect: float) -> int | None:
    if not discordance or discordance < difference:
        return None
    return ceil(effect * _n_to_detect(discordance, difference, LEVEL) - 1e-6)


# --- the rates as if no item had been excluded


def _with_excluded(
    answers: Rows, items: Rows, judgements: Rows, bootstrap: Bootstrap
) -> dict[str, Any]:
    out = Counter(
        row["run"] for row in answers if "excluded" in (row["plausibility"], row["faithfulness"])
    )
    if not out:
        return {"n_excluded": 0, "rates": {}}
    ended = _ends_of_excluded(items, judgements)
    again = [_taken_in(row, ended) for row in answers]
    votes = votes_of_runs(again, judgements)
    rates = {
        name: _rates_of_runs(answers_of_runs(again, name), bootstrap, votes) for name in MEASURES
    }
    for rate in (each for of in rates.values() for each in of):
        rate["n_excluded"] = out[rate["run"]]
    return {"n_excluded": sum(out.values()), "rates": rates}


def _ends_of_excluded(items: Rows, judgements: Rows) -> dict[tuple[str, str], str]:
    """How excluded items that decide end by their batch's rule, among all that is in the batch."""
    rules: dict[str, Counter[str]] = defaultdict(Counter)
    of_batch: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
    votes = ballots(judgements)
    for row in items:
        if row["rule"] in RULES:
            rules[row["batch"]][row["rule"]] += 1
        if row["is_control"] == "false" and row["item_id"] in votes:
            of_batch[row["batch"]][row["item_id"]] = votes[row["item_id"]]
    found, likely = {}, {}
    for row in items:
        if (row["is_control"], row["is_excluded"], row["is_newest"]) == ("false", "true", "true"):
            batch, given = row["batch"], of_batch[row["batch"]].get(row["item_id"], {})
            most = sorted(rules[batch].items(), key=lambda each: (-each[1], each[0]))
            rule = most[0][0] if most else "unanimous"
            if rule == "posterior" and batch not in likely:
                labels = labels_of_votes(row["scheme"], of_batch[batch])
                likely[batch] = likely_labels(of_batch[batch], labels)
            chances = likely.get(batch, {}).get(row["item_id"], {})
            rounded = {label: round(chance, 6) for label, chance in chances.items()}
            state, label = ended_by(rule, list(given.values()), rounded)
            ends = {"decided": label, "disputed": "disputed", "set aside": "too_few_judgements"}
            found[row["scheme"], row["answer_id"]] = ends[state]
    return found


def _taken_in(row: Row, ended: Mapping[tuple[str, str], str]) -> Row:
    again = dict(row)
    if row["plausibility"] == "excluded":
        again["plausibility"] = ended.get(("plausibility", row["answer_id"]), "excluded")
        again["faithfulness"] = "not_asked" if again["plausibility"] == "plausible" else ""
    elif row["faithfulness"] == "excluded":
        again["faithfulness"] = ended.get(("faithfulness", row["answer_id"]), "excluded")
    return again
