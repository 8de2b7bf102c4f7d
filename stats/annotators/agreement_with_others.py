"""How far a person says what the others say, with an interval over questions."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from stats.agreement.judgement_table import Floats, Ints
from stats.agreement.result import ratio
from stats.annotators.entries import Entry
from stats.annotators.peers import Crowd, Pairs
from stats.annotators.robust_z import Measurement, RobustZ, robust_z
from stats.bootstrap import BootstrapInterval, bootstrap

NO_OTHERS = "nobody else judged the same"
NO_PLURALITY = "on no item two others agree with each other"
TWO_PEOPLE = "those who judged the same judged with nobody else: the agreement of two does not say whose it is"
ONE_QUESTION = "a single question"
# How unlike honest people are: some agree by about so much more, or less, than those whom they meet.
HONEST = 0.05


@dataclass(frozen=True, slots=True)
class Share:
    """found / n with a bootstrap interval over questions; None with the reason."""

    value: float | None
    found: int
    n: int
    n_questions: int
    low: float | None
    high: float | None
    reason: str | None = None
    no_interval: str | None = None


def pairwise_share(pairs: Sequence[Pairs], *, replicates: int, seed: int) -> Share:
    """Returns the share of agreeing pairs of this person and another one on the same task."""
    rows = [(each.entry.turn, each.n_same, each.n_others) for each in pairs]
    return _share(rows, NO_OTHERS, replicates, seed)


def leave_one_out(
    entries: Sequence[Entry], crowd: Crowd, *, replicates: int, seed: int
) -> tuple[Share, int]:
    """The share of the person's labels that are the one most of the others gave, from k = 3 on.

    Left out are tasks with fewer than two others; and those on which the others' labels tie, of which the
    number stands beside it.
    """
    rows, n_tied = [], 0
    for each in entries:
        if not each.is_counted or len(crowd.others(each)) < 2:
            continue
        label = crowd.plurality(each)
        n_tied += label is None
        if label is not None:
            rows.append((each.turn, int(each.label == label), 1))
    return _share(rows, NO_PLURALITY, replicates, seed), n_tied


def _share(rows: Sequence[tuple[str, int, int]], why: str, replicates: int, seed: int) -> Share:
    if not rows:
        return Share(None, 0, 0, 0, None, None, why, why)
    sums = question_sums(rows)
    found, n = map(int, sums.sum(axis=0))
    interval: BootstrapInterval = bootstrap(
        sums, lambda totals: ratio(totals[:, 0], totals[:, 1]), replicates=replicates, seed=seed
    )
    return Share(
        value=found / n,
        found=found,
        n=n,
        n_questions=len(sums),
        low=interval.low,
        high=interval.high,
        no_interval=interval.reason,
    )


def question_sums(rows: Sequence[tuple[str, int, int]]) -> Ints:
    """Returns (agreeing, all) for each question, sorted by question."""
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for turn, found, n in rows:
        sums[turn][0] += found
        sums[turn][1] += n
    return np.array([sums[turn] for turn in sorted(sums)], np.int64)


class Together:
    """Everybody with everybody: on how many tasks two people both said something, and how often the same.

    `n` and `same` are symmetric, one row a person, in the order of `workers`; the diagonals are 0.
    """

    def __init__(self, crowd: Crowd) -> None:
        self.workers = sorted({who for said in crowd.said.values() for who in said})
        code = {who: number for number, who in enumerate(self.workers)}
        self.n = np.zeros((len(code), len(code)))
        self.same = np.zeros_like(self.n)
        for said in crowd.said.values():
            for (who, label), (other, others) in permutations(said.items(), 2):
                self.n[code[who], code[other]] += 1
                self.same[code[who], code[other]] += label == others

    def without(self, worker: str) -> tuple[Floats, Floats]:
        keep = np.array([who != worker for who in self.workers])
        return self.same[np.ix_(keep, keep)], self.n[np.ix_(keep, keep)]


def _shortfalls(same: Floats, n: Floats) -> tuple[Floats, Floats]:
    """For each person: their agreement, and what it would be if they were as those whom they meet.

    That is the mean, over their pairs, of how far the other one of the pair agrees with everybody else; so
    nobody is the worse for those whom they happened to be put with. Pairs whose other met nobody else are
    left out; NaN where none is left.
    """
    elsewhere = n.sum(axis=1)[None, :] - n
    rate = ratio(same.sum(axis=1)[None, :] - same, elsewhere)
    met = np.where(elsewhere > 0, n, 0.0)
    own = ratio(np.where(met > 0, same, 0.0).sum(axis=1), met.sum(axis=1))
    return own, ratio((met * np.nan_to_num(rate)).sum(axis=1), met.sum(axis=1))


@dataclass(frozen=True, slots=True)
class Fellows:
    """How far the people whom a person met agree with everybody else, and the person compared with them."""

    expected: float | None
    beside: RobustZ


def below_the_others(worker: str, pairs: Sequence[Pairs], together: Together) -> Fellows:
    """Whether a person agrees less with others than those others agree with everybody else.

    What is compared with 0 is agreement minus that expectation. How far honest people lie from 0 is seen in
    everybody else, computed without this person; their median is not, because those who met somebody that
    presses any key agree more than expected. The error of the share is that of a ratio over questions,
    sum (a - x n)^2 / N^2 * Q / (Q - 1), and not less than that of N independent pairs.
    """
    if not pairs:
        return Fellows(None, RobustZ(None, None, None, 0, NO_OTHERS))
    own, expected = _shortfalls(together.same, together.n)
    at = together.workers.index(worker)
    short = own[at] - expected[at]
    agrees, of_fellows = _shortfalls(*together.without(worker))
    others = agrees - of_fellows
    others = others[~np.isnan(others)]
    if np.isnan(short):
        return Fellows(None, RobustZ(None, None, None, len(others), TWO_PEOPLE))
    variance = _variance(question_sums([(e.entry.turn, e.n_same, e.n_others) for e in pairs]))
    if variance is None:
        return Fellows(None, RobustZ(None, None, None, len(others), ONE_QUESTION))
    measured = Measurement(float(short), *variance)
    found = robust_z(measured, others.tolist(), honest=HONEST, middle=0.0)
    return Fellows(float(expected[at]), found)


def _variance(sums: Ints) -> tuple[float, int] | None:
    """Returns the variance of the share and its degrees of freedom, or None for a single question."""
    n_questions = len(sums)
    if n_questions < 2:
        return None
    found, n = sums[:, 0].astype(float), sums[:, 1].astype(float)
    total, share = n.sum(), found.sum() / n.sum()
    of_questions = ((found - share * n) ** 2).sum() / total**2 * n_questions / (n_questions - 1)
    smoothed = (found.sum() + 0.5) / (total + 1)
    return float(max(of_questions, smoothed * (1 - smoothed) / total)), n_questions - 1
