"""Rates of runs and their differences for people like those who judged: what their votes add to the variance."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

from exports.verification.findings import WORDS
from exports.verification.intervals import Z, t_quantile, t_share, wilson, without_interval
from exports.verification.run_pairs import POWER, tango
from exports.verification.run_steps import Asked, Step, Steps, is_open
from exports.verification.tables import Rows, conversation_of

FEWEST_VOTERS = 3
# Scheme -> the label that accepts.
STEPS = {"plausibility": "plausible", "faithfulness": "faithful"}
# A question and an annotator.
Cell = tuple[str, str]
Scores = Mapping[Cell, float]
# By run and scheme: how many votes accept, and how many there are.
VotesOfRuns = Mapping[tuple[str, str], Mapping[Cell, tuple[int, int]]]


class Spread(NamedTuple):
    """The variance of a figure over questions, over annotators and over cells, and how many there are."""

    own: float
    of_annotators: float
    excess: float
    n_questions: int  # conversations
    n_annotators: int
    # degrees of freedom of the variance over annotators
    df: int

    @property
    def is_known(self) -> bool:
        return self.n_annotators >= FEWEST_VOTERS and self.n_questions > 1 and self.variance > 0

    @property
    def variance(self) -> float:
        return self.own + max(0.0, self.excess)

    @property
    def t(self) -> float:
        return t_quantile(self.degrees)

    @property
    def degrees(self) -> float:
        parts = self.own**2 / (self.n_questions - 1) + self.of_annotators**2 / self.df
        most = self.n_questions + self.n_annotators - 2
        return min(max(self.variance**2 / parts, self.n_annotators - 1), most)


def votes_of_runs(answers: Rows, judgements: Rows) -> VotesOfRuns:
    gave: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for row in answers:
        for scheme in STEPS:
            if row["sampled"] == "drawn" and row[scheme] != "excluded":
                gave[scheme, row["answer_id"]].append((row["run"], row["turn_id"]))
    found: dict[tuple[str, str], dict[Cell, tuple[int, int]]] = defaultdict(dict)
    for row in judgements:
        if (row["counted"], row["is_control"]) != ("true", "false"):
            continue
        for run, turn in gave.get((row["scheme"], row["answer_id"]), ()):
            cells, cell = found[run, row["scheme"]], (turn, row["annotator"])
            k, n = cells.get(cell, (0, 0))
            cells[cell] = k + (row["label"] == STEPS[row["scheme"]]), n + 1
    return found


def weights_of_votes(steps: Steps, name: str) -> dict[str, float]:
    """How much a vote of each scheme weighs in the run's rate."""
    if name != "gold":
        return {"plausibility" if name == "plausible" else "faithfulness": 1.0}
    first, known, second = _totals(steps.values())
    return {
        "plausibility": second / known if known else 0.0,
        "faithfulness": first / len(steps) if steps else 0.0,
    }


def rate_for_people(
    rate: Mapping[str, Any], steps: Steps, asked: Asked, name: str, votes: VotesOfRuns
) -> dict[str, Any]:
    """What is said of a rate besides."""
    k, n, effect = rate["n_accepted"], rate["n_questions"], rate["design_effect"]
    if rate["value"] is None or (effect is None and not is_open(steps, name)):
        limits = rate["interval"]
        return {"n_annotators": 0, "people_interval": limits, "share_of_people": None}
    if effect is None:
        own = _over_conversations(_linear(steps))
    else:
        middle = (k + Z * Z / 2) / (n + Z * Z)
        own = effect * middle * (1 - middle) / n
    scores = _scores(votes, rate["run"], weights_of_votes(steps, name), asked)
    of = _spread_of(scores, own, rate["n_conversations"])
    if not of.is_known:
        interval = without_interval()
    elif effect is None:
        interval = _around(rate["value"], of, 0.0)
    else:
        interval = wilson(k, n, _z(n, effect, of))
    return {
        "n_annotators": of.n_annotators,
        "people_interval": interval,
        "share_of_people": _share(of),
    }


def pairs_for_people(
    pairs: Sequence[Mapping[str, Any]],
    steps: Mapping[str, Steps],
    asked: Mapping[str, Asked],
    name: str,
    votes: VotesOfRuns,
) -> list[dict[str, Any]]:
    """What is said of each pair besides, and instead: with what people make in all of them."""
    weights = {run: weights_of_votes(of, name) for run, of in steps.items()}
    spreads = {}
    for at, pair in enumerate(pairs):
        own = _own(pair, steps, name)
        if own is not None:
            common = asked[pair["one"]].keys() & asked[pair["other"]].keys()
            one, other = (
                _scores(votes, run, weights[run], common) for run in (pair["one"], pair["other"])
            )
            scores = one
            for cell, score in other.items():
                scores[cell] = scores.get(cell, 0.0) - score
            spreads[at] = _spread_of(scores, own, pair["n_conversations"])
    pooled = _pooled(spreads, pairs)
    return [_pair(pair, pooled.get(at)) for at, pair in enumerate(pairs)]


def _own(pair: Mapping[str, Any], steps: Mapping[str, Steps], name: str) -> float | None:
    """The variance of a difference over questions; None where there is nothing to say of it."""
    if pair["difference"] is None:
        return None
    if pair["n_only_one"] is None:
        one, other = steps[pair["one"]], steps[pair["other"]]
        common = one.keys() & other.keys()
        first, second = (_linear({turn: of[turn] for turn in common}) for of in (one, other))
        return _over_conversations({turn: first[turn] - second[turn] for turn in common})
    if pair["design_effect"] is None:
        return None
    n_discordant = pair["n_only_one"] + pair["n_only_other"]
    return float(pair["design_effect"] * max(n_discordant, 1) / pair["n_questions"] ** 2)


def _pair(pair: Mapping[str, Any], of: Spread | None) -> dict[str, Any]:
    found = {
        "n_annotators": of.n_annotators if of else 0,
        "people_interval": without_interval(),
        "share_of_people": _share(of) if of else None,
        "p_of": "these",
        "p_these_people": pair["p"],
        "p_people": None,
    }
    if of is None or not of.is_known:
        return found
    b, c, n = pair["n_only_one"], pair["n_only_other"], pair["n_questions"]
    if b is None:
        return {**found, "people_interval": _around(pair["difference"], of, -1.0)}
    found["people_interval"] = tango(b, c, n, _z(n, pair["design_effect"], of))
    if pair["p"] is None:
        return found
    beyond = 1 - t_share(abs(pair["difference"]) / sqrt(of.variance), of.degrees)
    p = max(pair["p"], min(1.0, 2 * beyond))
    least = (of.t + t_quantile(of.degrees, POWER)) * sqrt(of.variance)
    detectable = None if pair["detectable"] is None else max(least, pair["detectable"])
    if detectable is not None and detectable > (b + c) / n:
        detectable = None
    reason = WORDS if detectable is None else None
    told = {"detectable": detectable, "detectable_reason": reason}
    return {**found, "p": p, "p_people": p, "p_of": "like them", **told}


def _scores(
    votes: VotesOfRuns, run: str, weights: Mapping[str, float], turns: Collection[str]
) -> dict[Cell, float]:
    found: dict[Cell, float] = {}
    for scheme, weight in weights.items():
        cells = {c: kn for c, kn in votes.get((run, scheme), {}).items() if c[0] in turns}
        counts = Counter(cells.values())  # few differ
        n, k = (sum(kn[i] * times for kn, times in counts.items()) for i in (1, 0))
        score_of = {(a, m): weight * (n * a - k * m) / (n * n) for a, m in counts}
        scores = map(score_of.__getitem__, cells.values())
        if not found:
            found = dict(zip(cells, scores))
            continue
        for cell, score in zip(cells, scores):
            found[cell] = found.get(cell, 0.0) + score
    return found


def _z(n: int, effect: float, of: Spread) -> float:
    """The z of an interval, never less than that for these people."""
    z = of.t * sqrt(effect * of.variance / of.own)
    if of.n_questions == n:
        return max(z, Z)
    return max(z, t_quantile(of.n_questions - 1) * sqrt(effect))


def _spread_of(scores: Scores, own: float, n_conversations: int) -> Spread:
    sums: dict[str, float] = defaultdict(float)
    for (_, annotator), score in scores.items():
        sums[annotator] += score
    n = len(sums)
    of_annotators = n / (n - 1) * sum(each**2 for each in sums.values()) if n > 1 else 0.0
    of_cells = sum(score**2 for score in scores.values())
    excess = of_annotators - of_cells
    return Spread(
        own=own,
        of_annotators=of_annotators,
        excess=0.0 if abs(excess) <= 1e-12 * of_cells else excess,
        n_questions=n_conversations,
        n_annotators=n,
        df=n - 1,
    )


def _pooled(spreads: Mapping[int, Spread], pairs: Sequence[Mapping[str, Any]]) -> dict[int, Spread]:
    enough = {
        at: of
        for at, of in spreads.items()
        if of.n_annotators >= FEWEST_VOTERS and of.n_questions > 1
    }
    if not enough:
        return dict(spreads)
    excess = sum(of.excess * of.n_annotators for of in enough.values()) / len(enough)
    annotators = sum(of.of_annotators * of.n_annotators for of in enough.values()) / len(enough)
    n_free = _n_free([(pairs[at]["one"], pairs[at]["other"]) for at in enough])
    return {**spreads} | {
        at: of._replace(
            excess=max(of.excess, excess / of.n_annotators),
            of_annotators=max(of.of_annotators, annotators / of.n_annotators),
            df=n_free * (of.n_annotators - 1),
        )
        for at, of in enough.items()
    }


def _n_free(pairs: Sequence[tuple[str, str]]) -> int:
    """How many differences do not follow from the others: each that links two runs for the first time."""
    group: dict[str, str] = {}

    def first_of(run: str) -> str:
        while group.setdefault(run, run) != run:
            run = group[run]
        return run

    n = 0
    for one, other in pairs:
        first, second = first_of(one), first_of(other)
        n += first != second
        group[first] = second
    return n


def _share(of: Spread) -> float | None:
    return max(0.0, 1 - of.own / of.variance) if of.is_known else None


def _around(value: float, of: Spread, least: float) -> dict[str, Any]:
    distance = of.t * sqrt(of.variance)
    return {
        "low": max(least, value - distance),
        "high": min(1.0, value + distance),
        "reason": None,
    }


def _totals(steps: Collection[Step]) -> tuple[int, int, int]:
    first, known, second = (sum(column) for column in zip(*steps)) if steps else (0, 0, 0)
    return first, known, second


def _linear(steps: Steps) -> dict[str, float]:
    """What each question adds to the rate's distance from that of all, nearly."""
    n, (first, known, second) = len(steps), _totals(steps.values())
    p, f = first / n, second / known if known else 0.0
    return {
        turn: f * (one - p) / n + (p * (three - f) / known if two else 0.0)
        for turn, (one, two, three) in steps.items()
    }


def _over_conversations(scores: Mapping[str, float]) -> float:
    sums: dict[str, float] = defaultdict(float)
    for turn, score in scores.items():
        sums[conversation_of(turn)] += score
    n = len(sums)
    return n / (n - 1) * sum(each**2 for each in sums.values()) if n > 1 else 0.0
