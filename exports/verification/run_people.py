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
from exports.verification.intervals import Z, sums_by, t_quantile, wilson, without_interval
from exports.verification.per_run import FAITHFULNESS_LABELS, LABELS, runs_in_order
from exports.verification.tables import Row, Rows, conversation_of

FEWEST_VOTERS = 3
POWER = 0.8
# By scheme the label that accepts.
ACCEPTING = {"plausibility": "plausible", "faithfulness": "faithful"}
# By run and scheme: turn, annotator, how many of the votes accept, and how many there are.
Votes = Mapping[tuple[str, str], "np.ndarray"]


@dataclass(frozen=True)
class Answers:
    """A run's answers that a measure is asked of: a place an answer, in the order of the turns.

    `steps` are whether it is plausible, its faithfulness settled, and it is faithful.
    """

    run: str
    name: str  # of the measure
    turn: np.ndarray
    conversation: np.ndarray
    text: np.ndarray
    steps: np.ndarray
    is_settled: np.ndarray

    def where(self, mask: np.ndarray) -> Answers:
        names = ("turn", "conversation", "text", "steps", "is_settled")
        return replace(self, **{name: getattr(self, name)[mask] for name in names})

    @property
    def basis(self) -> Answers:
        return self.where(self.steps[:, 1] == 1 if self.name == "faithful" else self.is_settled)

    @property
    def good(self) -> np.ndarray:
        return np.asarray(self.steps[:, 0 if self.name == "plausible" else 2])

    @property
    def end(self) -> np.ndarray:
        """1 if it is accepted, 0 if it is not, NaN where that is open."""
        first, known, _ = self.steps.T
        is_known = self.is_settled & ((self.name == "plausible") | (first <= known))
        return np.where(is_known, self.good, np.nan)

    @property
    def is_open(self) -> bool:
        """Whether it is not known of every plausible answer if it is gold."""
        return self.name == "gold" and bool((self.steps[:, 0] > self.steps[:, 1]).any())

    @property
    def n_conversations(self) -> int:
        return len(np.unique(self.conversation))


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


def answers_of_runs(answers: Rows, name: str) -> dict[str, Answers]:
    """Return, for each run, its drawn answers that a measure is asked of."""
    of_run: dict[str, dict[str, Row]] = {run: {} for run in runs_in_order(answers)}
    place = _places_of_turns(answers)
    _, conversations = np.unique(list(map(conversation_of, place)) or [""], return_inverse=True)
    for row in answers:
        is_asked = name != "faithful" or row["plausibility"] == LABELS[0]
        if row["sampled"] == "drawn" and is_asked:
            of_run[row["run"]][row["turn_id"]] = row
    found = {}
    for run, rows in of_run.items():
        own = [rows[turn] for turn in sorted(rows)]
        turn = np.array([place[row["turn_id"]] for row in own], int)
        steps = np.array(list(map(_steps, own)), int).reshape(-1, 3)
        is_settled = np.array([row["plausibility"] in LABELS for row in own], bool)
        text = np.array([row["answer_id"] for row in own], object)
        found[run] = Answers(run, name, turn, conversations[turn], text, steps, is_settled)
    return found


def _places_of_turns(answers: Rows) -> dict[str, int]:
    return {turn: at for at, turn in enumerate(sorted({row["turn_id"] for row in answers}))}


def _steps(row: Row) -> list[bool]:
    first = row["plausibility"] == LABELS[0]
    known = first and row["faithfulness"] in FAITHFULNESS_LABELS
    return [first, known, known and row["faithfulness"] == FAITHFULNESS_LABELS[0]]


def common_turns(one: Answers, other: Answers) -> tuple[Answers, Answers]:
    _, first, second = np.intersect1d(one.turn, other.turn, return_indices=True)
    return one.where(first), other.where(second)


def votes_of_runs(answers: Rows, judgements: Rows) -> Votes:
    columns = ["run", "turn_id", "answer_id", "sampled", *ACCEPTING]
    gave = pd.DataFrame(answers, columns=columns).query("sampled == 'drawn'")
    gave["turn"] = gave["turn_id"].map(_places_of_turns(answers))
    gave = gave.melt(["run", "turn", "answer_id"], list(ACCEPTING), "scheme", "ended")
    columns = ["scheme", "answer_id", "annotator", "label", "counted", "is_control"]
    votes = pd.DataFrame(judgements, columns=columns)
    votes = votes.query("counted == 'true' and is_control == 'false'")
    votes = votes.assign(accepts=votes["label"] == votes["scheme"].map(ACCEPTING))
    votes["annotator"] = votes["annotator"].astype("category").cat.codes
    cells = votes.merge(gave.query("ended != 'excluded'"), on=["scheme", "answer_id"])
    cells = cells.groupby(["run", "scheme", "turn", "annotator"])["accepts"].agg(["sum", "size"])
    by_run = cells.reset_index(["turn", "annotator"]).groupby(["run", "scheme"])
    return {(str(run), str(scheme)): of.to_numpy(int) for (run, scheme), of in by_run}


def rate_for_people(rate: Mapping[str, Any], answers: Answers, votes: Votes) -> dict[str, Any]:
    """What is said of a rate besides."""
    k, n, effect, of = rate["n_accepted"], rate["n_questions"], rate["design_effect"], answers.basis
    if rate["value"] is None or (effect is None and not of.is_open):
        limits = rate["interval"]
        return {"n_annotators": 0, "people_interval": limits, "share_of_people": None}
    if effect is None:
        own = over_conversations(_linear(of), of.conversation)
    else:
        middle = (k + Z * Z / 2) / (n + Z * Z)
        own = effect * middle * (1 - middle) / n
    spread = _spread_of(_scores(votes, answers, answers.turn), own, rate["n_conversations"])
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
    pairs: Sequence[Mapping[str, Any]], of_run: Mapping[str, Answers], votes: Votes
) -> list[dict[str, Any]]:
    """The pairs, with what is said of each besides, and instead: with what people make in all of them."""
    spreads = {}
    for at, pair in enumerate(pairs):
        one, other = of_run[pair["one"]], of_run[pair["other"]]
        own = _own(pair, one.basis, other.basis)
        if own is not None:
            common = np.intersect1d(one.turn, other.turn)
            scores = [*_scores(votes, one, common), *_scores(votes, other, common, sign=-1)]
            spreads[at] = _spread_of(scores, own, pair["n_conversations"])
    pooled = _pooled(spreads, pairs)
    return [{**pair, **_pair_for_people(pair, pooled.get(at))} for at, pair in enumerate(pairs)]


def _own(pair: Mapping[str, Any], one: Answers, other: Answers) -> float | None:
    """The variance of a difference over questions; None where there is nothing to say of it."""
    if pair["difference"] is None:
        return None
    if pair["n_only_one"] is None:
        one, other = common_turns(one, other)
        return over_conversations(_linear(one) - _linear(other), one.conversation)
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


def _scores(votes: Votes, answers: Answers, turns: np.ndarray, sign: int = 1) -> list[np.ndarray]:
    """Turn, annotator and what their votes add to the run's rate, each scheme's by its weight in it."""
    first, known, second = answers.basis.steps.sum(axis=0)
    weights = {"plausibility" if answers.name == "plausible" else "faithfulness": 1.0}
    if answers.name == "gold":
        weights = {
            "plausibility": second / known if known else 0.0,
            "faithfulness": first / max(len(answers.basis.turn), 1),
        }
    found = []
    for scheme, weight in weights.items():
        cells = votes.get((answers.run, scheme), np.zeros((0, 4), int))
        cells = cells[np.isin(cells[:, 0], turns)]
        k, n = cells[:, 2], cells[:, 3]
        scores = sign * weight * (n.sum() * k - k.sum() * n) / max(n.sum(), 1) ** 2
        found.append(np.column_stack([cells[:, :2], scores]))
    return found


def _z(n: int, effect: float, of: Spread) -> float:
    """The z of an interval, never less than that for these people."""
    z = of.t * sqrt(effect * of.variance / of.own)
    if of.n_questions == n:
        return max(z, Z)
    return max(z, t_quantile(of.n_questions - 1) * sqrt(effect))


def _spread_of(scores: Sequence[np.ndarray], own: float, n_conversations: int) -> Spread:
    columns = ["turn", "annotator", "score"]
    cells = pd.DataFrame(np.concatenate(scores), columns=columns).groupby(columns[:2]).sum()
    sums = cells.groupby("annotator")["score"].sum()
    n, of_cells = len(sums), float((cells["score"] ** 2).sum())
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


def _linear(of: Answers) -> np.ndarray:
    """What each question adds to the rate's distance from that of all, nearly."""
    n, (first, known, second) = len(of.turn), of.steps.sum(axis=0)
    p, f = first / n, second / known if known else 0.0
    x, k, y = of.steps.T
    return np.asarray(f * (x - p) / n + (p * k * (y - f) / known if known else 0.0))


def over_conversations(scores: np.ndarray, conversations: np.ndarray) -> float:
    sums = sums_by(scores, conversations)
    n = len(sums)
    return float(n / (n - 1) * (sums**2).sum()) if n > 1 else 0.0
