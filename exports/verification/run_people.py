"""Rates of runs and their differences for people like those who judged: what their votes add to the variance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize, stats

from exports.verification.findings import WORDS
from exports.verification.intervals import Z, t_quantile, wilson, without_interval
from exports.verification.tables import Rows

FEWEST_VOTERS = 3
POWER = 0.8
STEPS = ["first", "known", "second"]
# By scheme the label that accepts.
ACCEPTING = {"plausibility": "plausible", "faithfulness": "faithful"}
# By run and scheme, of each turn and annotator how many votes accept, and how many there are.
Votes = Mapping[tuple[str, str], "pd.DataFrame"]
Questions = Mapping[str, "pd.DataFrame"]


@dataclass(frozen=True)
class Spread:
    """The variance of a figure over questions, over annotators and over cells, and how many there are."""

    own: float
    of_annotators: float
    excess: float
    n_questions: int  # conversations
    n_annotators: int
    df: int  # degrees of freedom of the variance over annotators

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

    @property
    def share(self) -> float | None:
        return max(0.0, 1 - self.own / self.variance) if self.is_known else None


def is_open(of: pd.DataFrame, name: str) -> bool:
    """Whether it is not known of every plausible answer if it is gold."""
    return name == "gold" and bool((of["first"] > of["known"]).any())


def votes_of_runs(answers: Rows, judgements: Rows) -> Votes:
    columns = ["run", "turn_id", "answer_id", "sampled", *ACCEPTING]
    gave = pd.DataFrame(answers, columns=columns).query("sampled == 'drawn'")
    gave = gave.melt(columns[:3], list(ACCEPTING), "scheme", "ended").query("ended != 'excluded'")
    columns = ["scheme", "answer_id", "annotator", "label", "counted", "is_control"]
    votes = pd.DataFrame(judgements, columns=columns)
    votes = votes.query("counted == 'true' and is_control == 'false'")
    votes = votes.assign(accepts=votes["label"] == votes["scheme"].map(ACCEPTING))
    cells = votes.merge(gave, on=["scheme", "answer_id"])
    found = cells.groupby(["run", "scheme", "turn_id", "annotator"])["accepts"].agg(["sum", "size"])
    by_run = found.groupby(level=[0, 1])
    return {(str(run), str(scheme)): of.droplevel([0, 1]) for (run, scheme), of in by_run}


def rate_for_people(
    rate: Mapping[str, Any], of: pd.DataFrame, asked: pd.DataFrame, name: str, votes: Votes
) -> dict[str, Any]:
    """What is said of a rate besides."""
    k, n, effect = rate["n_accepted"], rate["n_questions"], rate["design_effect"]
    if rate["value"] is None or (effect is None and not is_open(of, name)):
        limits = rate["interval"]
        return {"n_annotators": 0, "people_interval": limits, "share_of_people": None}
    if effect is None:
        own = over_conversations(_linear(of), of["conversation"])
    else:
        middle = (k + Z * Z / 2) / (n + Z * Z)
        own = effect * middle * (1 - middle) / n
    spread = _spread_of(
        _scores(votes, rate["run"], of, name, asked.index), own, rate["n_conversations"]
    )
    if not spread.is_known:
        interval = without_interval()
    elif effect is None:
        interval = _around(rate["value"], spread, 0.0)
    else:
        interval = wilson(k, n, _z(n, effect, spread))
    return {
        "n_annotators": spread.n_annotators,
        "people_interval": interval,
        "share_of_people": spread.share,
    }


def pairs_for_people(
    pairs: Sequence[Mapping[str, Any]], questions: Questions, name: str, votes: Votes
) -> list[dict[str, Any]]:
    """The pairs, with what is said of each besides, and instead: with what people make in all of them."""
    basis = {run: of[of["is_basis"]] for run, of in questions.items()}
    spreads = {}
    for at, pair in enumerate(pairs):
        one, other = pair["one"], pair["other"]
        own = _own(pair, basis[one], basis[other])
        if own is not None:
            common = questions[one].index.intersection(questions[other].index)
            first, second = (_scores(votes, run, basis[run], name, common) for run in (one, other))
            scores = _sums_of([first, -second])
            spreads[at] = _spread_of(scores, own, pair["n_conversations"])
    pooled = _pooled(spreads, pairs)
    return [{**pair, **_pair_for_people(pair, pooled.get(at))} for at, pair in enumerate(pairs)]


def _own(pair: Mapping[str, Any], one: pd.DataFrame, other: pd.DataFrame) -> float | None:
    """The variance of a difference over questions; None where there is nothing to say of it."""
    if pair["difference"] is None:
        return None
    if pair["n_only_one"] is None:
        common = one.index.intersection(other.index)
        scores = _linear(one.loc[common]) - _linear(other.loc[common])
        return over_conversations(scores, one.loc[common, "conversation"])
    if pair["design_effect"] is None:
        return None
    n_discordant = pair["n_only_one"] + pair["n_only_other"]
    return float(pair["design_effect"] * max(n_discordant, 1) / pair["n_questions"] ** 2)


def _pair_for_people(pair: Mapping[str, Any], of: Spread | None) -> dict[str, Any]:
    found = {
        "n_annotators": of.n_annotators if of else 0,
        "people_interval": without_interval(),
        "share_of_people": of.share if of else None,
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
    beyond = stats.t.sf(abs(pair["difference"]) / sqrt(of.variance), of.degrees)
    p = max(pair["p"], float(2 * beyond))
    least = (of.t + t_quantile(of.degrees, POWER)) * sqrt(of.variance)
    detectable = None if pair["detectable"] is None else max(least, pair["detectable"])
    if detectable is not None and detectable > (b + c) / n:
        detectable = None
    reason = WORDS if detectable is None else None
    power = {"detectable": detectable, "detectable_reason": reason}
    return {**found, "p": p, "p_people": p, "p_of": "like them", **power}


def tango(b: int, c: int, n: int, z: float) -> dict[str, Any]:
    """The differences whose score statistic is z or -z."""

    def statistic(d: float, limit: float) -> float:
        middle = (2 * n - b + c) * d - b - c
        q = (sqrt(max(0.0, middle**2 + 8 * n * c * d * (1 - d))) - middle) / (4 * n)
        return (b - c - n * d) / sqrt(max(n * (2 * q + d * (1 - d)), 1e-30)) - limit

    observed = (b - c) / n
    low = optimize.brentq(statistic, -1, observed, (z,), 1e-13) if c < n else -1.0
    high = optimize.brentq(statistic, observed, 1, (-z,), 1e-13) if b < n else 1.0
    return {"low": low, "high": high, "reason": None}


def _scores(votes: Votes, run: str, of: pd.DataFrame, name: str, turns: pd.Index) -> pd.Series:
    """By turn and annotator: what the votes add to the run's rate, each scheme's by its weight in it."""
    first, known, second = (int(of[step].sum()) for step in STEPS)
    weights = {"plausibility" if name == "plausible" else "faithfulness": 1.0}
    if name == "gold":
        weights = {
            "plausibility": second / known if known else 0.0,
            "faithfulness": first / len(of) if len(of) else 0.0,
        }
    parts = [pd.Series(dtype=float, index=pd.MultiIndex.from_arrays([[], []]))]
    for scheme, weight in weights.items():
        cells = votes.get((run, scheme))
        cells = None if cells is None else cells[cells.index.isin(turns, level=0)]
        if cells is not None and len(cells):
            n, k = cells["size"].sum(), cells["sum"].sum()
            parts.append(weight * (n * cells["sum"] - k * cells["size"]) / (n * n))
    return _sums_of(parts)


def _sums_of(parts: Sequence[pd.Series]) -> pd.Series:
    found = pd.concat([each for each in parts if len(each)] or parts)
    return pd.Series(found.groupby(level=[0, 1]).sum())


def _z(n: int, effect: float, of: Spread) -> float:
    """The z of an interval, never less than that for these people."""
    z = of.t * sqrt(effect * of.variance / of.own)
    if of.n_questions == n:
        return max(z, Z)
    return max(z, t_quantile(of.n_questions - 1) * sqrt(effect))


def _spread_of(scores: pd.Series, own: float, n_conversations: int) -> Spread:
    sums = scores.groupby(level=1).sum()
    n, of_cells = len(sums), float((scores**2).sum())
    of_annotators = float(n / (n - 1) * (sums**2).sum()) if n > 1 else 0.0
    excess = of_annotators - of_cells
    excess = 0.0 if abs(excess) <= 1e-12 * of_cells else excess
    return Spread(own, of_annotators, excess, n_conversations, n, n - 1)


def _pooled(spreads: Mapping[int, Spread], pairs: Sequence[Mapping[str, Any]]) -> dict[int, Spread]:
    enough = {
        at: of
        for at, of in spreads.items()
        if of.n_annotators >= FEWEST_VOTERS and of.n_questions > 1
    }
    if not enough:
        return dict(spreads)
    excess = np.mean([of.excess * of.n_annotators for of in enough.values()])
    annotators = np.mean([of.of_annotators * of.n_annotators for of in enough.values()])
    n_free = _n_free([(pairs[at]["one"], pairs[at]["other"]) for at in enough])
    return {**spreads} | {
        at: replace(
            of,
            excess=max(of.excess, float(excess) / of.n_annotators),
            of_annotators=max(of.of_annotators, float(annotators) / of.n_annotators),
            df=n_free * (of.n_annotators - 1),
        )
        for at, of in enough.items()
    }


def _n_free(pairs: Sequence[tuple[str, str]]) -> int:
    """How many differences do not follow from the others: the rank of the matrix of who is compared with whom."""
    runs = sorted({run for pair in pairs for run in pair})
    matrix = np.zeros((len(pairs), len(runs)))
    for at, (one, other) in enumerate(pairs):
        matrix[at, runs.index(one)], matrix[at, runs.index(other)] = 1, -1
    return int(np.linalg.matrix_rank(matrix))


def _around(value: float, of: Spread, least: float) -> dict[str, Any]:
    distance = of.t * sqrt(of.variance)
    low, high = max(least, value - distance), min(1.0, value + distance)
    return {"low": low, "high": high, "reason": None}


def _linear(of: pd.DataFrame) -> pd.Series:
    """What each question adds to the rate's distance from that of all, nearly."""
    n, (first, known, second) = len(of), (int(of[step].sum()) for step in STEPS)
    p, f = first / n, second / known if known else 0.0
    scores = f * (of["first"] - p) / n
    return scores + p * of["known"] * (of["second"] - f) / known if known else scores


def over_conversations(scores: pd.Series, conversations: pd.Series) -> float:
    sums = scores.groupby(conversations).sum()
    n = len(sums)
    return float(n / (n - 1) * (sums**2).sum()) if n > 1 else 0.0
