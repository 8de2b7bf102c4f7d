"""Intervals and tests of a comparison for people like those who judged, computed anew.

Written from docs/comparing.md alone and with nothing of Touchstone's.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
from scipy import stats

# The question, the annotator and the value of each judgement.
Judged = list[tuple[str, str, Fraction]]
# The conversation, the annotator and the score of each.
Scores = list[tuple[str, str, Fraction]]


def mean_scores(judged: Judged) -> Scores:
    """Of a mean over judgements."""
    middle = sum(value for *_, value in judged) / Fraction(len(judged) or 1)
    return [(_conversation(q), who, (v - middle) / len(judged)) for q, who, v in judged]


def question_scores(judged: Judged) -> Scores:
    """Of a mean over questions, each with the mean of its judgements."""
    n = Counter(question for question, *_ in judged)
    middle = sum((value / (len(n) * n[q]) for q, _, value in judged), Fraction())
    return [(_conversation(q), who, (v - middle) / (len(n) * n[q])) for q, who, v in judged]


def _conversation(turn: str) -> str:
    return turn.rpartition("_")[0]


def parts(scores: Scores) -> dict[str, Any]:
    """V_q, V_a and V_c, with the numbers of questions and annotators."""
    sums: list[defaultdict[Any, Fraction]] = [defaultdict(Fraction) for _ in range(3)]
    for question, who, score in scores:
        for each, key in zip(sums, (question, who, (question, who)), strict=True):
            each[key] += score
    squares = [sum(value**2 for value in each.values()) for each in sums]
    n_questions, n_people = len(sums[0]), len(sums[1])
    factors = [Fraction(n, n - 1) if n > 1 else 0 for n in (n_questions, n_people)]
    return {
        "q": squares[0] * factors[0],
        "a": squares[1] * factors[1],
        "c": squares[2],
        "Q": n_questions,
        "A": n_people,
    }


def figures(
    by_run: Mapping[str, Scores],
    values: Mapping[str, float],
    within: tuple[int, int],
    *,
    pool: bool,
) -> dict[str, Any]:
    """The intervals of a measure's figures, by run; pooled over the runs or each alone."""
    of = {run: parts(each) for run, each in by_run.items() if each}
    known = {run: each for run, each in of.items() if _is_enough(each)}
    together = list(known.values())
    return {
        run: _interval(
            values[run], each, together if pool else [each], len(known) - 1 if pool else 1, within
        )
        for run, each in of.items()
    }


def tests(
    pairs: Mapping[tuple[str, str], tuple[dict[str, Fraction], Scores]], within: tuple[int, int]
) -> dict[tuple[str, str], Any]:
    """The tests of a measure's pairs, of their differences by question and their scores."""
    of = {pair: parts(scores) for pair, (differences, scores) in pairs.items() if differences}
    known = {pair: each for pair, each in of.items() if _is_enough(each)}
    runs = sorted({run for pair in known for run in pair})
    signs = [[(run == one) - (run == other) for run in runs] for one, other in known]
    free = int(np.linalg.matrix_rank(np.array(signs))) if signs else 1
    found: dict[tuple[str, str], Any] = {}
    for pair, each in of.items():
        differences = pairs[pair][0]
        value = float(sum(differences.values()) / len(differences))
        made = _interval(value, each, list(known.values()), free, within)
        these, people = _flipped(differences), None
        if made["variance"] and these is not None:
            p = 2 * float(stats.t.sf(abs(value) / sqrt(made["variance"]), made["df"]))
            people = max(p, these)
        p_of = "these" if people is None else "like them"
        found[pair] = {**made, "p_these_people": these, "p_people": people, "p_of": p_of}
        found[pair]["p"] = these if people is None else people
        if made["variance"] and people is not None:
            quantiles = stats.t.ppf(0.975, made["df"]) + stats.t.ppf(0.8, made["df"])
            smallest = float(quantiles) * sqrt(made["variance"])
            found[pair]["detectable"] = smallest if smallest <= within[1] else None
    return found


def _is_enough(of: Mapping[str, Any]) -> bool:
    return bool(of["A"] >= 3 and of["Q"] >= 2)


def _interval(
    value: float,
    of: Mapping[str, Any],
    together: Sequence[Mapping[str, Any]],
    free: int,
    within: tuple[int, int],
) -> dict[str, Any]:
    none = {"low": None, "high": None, "share": None, "variance": None, "n": of["A"]}
    if not _is_enough(of):
        return none
    excess = sum(each["A"] * (each["a"] - each["c"]) for each in together) / len(together)
    people = sum(each["A"] * each["a"] for each in together) / len(together)
    variance = of["q"] + max(0, of["a"] - of["c"], excess / of["A"])
    if not variance:
        return none
    of_people = max(of["a"], people / of["A"])
    squares = of["q"] ** 2 / (of["Q"] - 1) + of_people**2 / (max(free, 1) * (of["A"] - 1))
    df = min(max(variance**2 / squares, of["A"] - 1), of["Q"] + of["A"] - 2)
    distance = float(stats.t.ppf(0.975, float(df))) * sqrt(variance)
    return {
        "low": max(within[0], value - distance),
        "high": min(within[1], value + distance),
        "share": float(1 - of["q"] / variance),
        "variance": float(variance),
        "df": float(df),
        "n": of["A"],
    }


def _flipped(differences: Mapping[str, Fraction]) -> float | None:
    """The share of all assignments of signs to conversations with a sum as far from 0."""
    sums: defaultdict[str, Fraction] = defaultdict(Fraction)
    for question, value in differences.items():
        sums[_conversation(question)] += value
    if not any(sums.values()):
        return None
    ways = Counter({Fraction(0): 1})
    for value in sums.values():
        ways = _added(ways, value)
    observed = abs(sum(sums.values()))
    return sum(n for each, n in ways.items() if abs(each) >= observed) / 2 ** len(sums)


def _added(ways: Counter[Fraction], value: Fraction) -> Counter[Fraction]:
    found: Counter[Fraction] = Counter()
    for each, n in ways.items():
        found[each + value] += n
        found[each - value] += n
    return found


def rated_pairs(
    rated: Iterable[Mapping[str, Any]], name: str, runs: Sequence[str]
) -> dict[tuple[str, str], tuple[dict[str, Fraction], Scores]]:
    """Differences by question and scores of every two runs, by a rating of answerable questions."""
    judged: defaultdict[str, Judged] = defaultdict(list)
    for each in rated:
        judged[each["run"]].append((each["question"], each["annotator"], each[name]))
    found = {}
    for one, other in combinations(runs, 2):
        first, second = question_means(judged[one]), question_means(judged[other])
        common = first.keys() & second.keys()
        plus, minus = (
            question_scores([each for each in judged[run] if each[0] in common])
            for run in (one, other)
        )
        scores = plus + [(q, who, -score) for q, who, score in minus]
        found[one, other] = {q: first[q] - second[q] for q in common}, scores
    return found


def question_means(judged: Judged) -> dict[str, Fraction]:
    values: defaultdict[str, list[Fraction]] = defaultdict(list)
    for question, _, value in judged:
        values[question].append(value)
    return {question: sum(each, Fraction()) / len(each) for question, each in values.items()}
