"""A person's agreement with the others, with an interval over questions."""

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
ONLY_EXTRA = "only judgements that were asked for beyond the first ones of an item"
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


def why_no_pairs(entries: Sequence[Entry]) -> str:
    """Return why a person without pairs has none."""
    counted = [each for each in entries if each.is_counted]
    return ONLY_EXTRA if counted and all(each.is_extra for each in counted) else NO_OTHERS


def pairwise_share(
    pairs: Sequence[Pairs], *, replicates: int, seed: int, why: str = NO_OTHERS
) -> Share:
    """Return the share of agreeing pairs of this person and another one on the same task.

    Without pairs it is undefined, with the reason `why`.
    """
    rows = [(each.entry.turn, each.n_same, each.n_others) for each in pairs]
    return _share(rows, why, replicates, seed)


def leave_one_out(
    entries: Sequence[Entry], crowd: Crowd, *, replicates: int, seed: int
) -> tuple[Share, int]:
    """Return the share of the person's labels that most of the others gave, and the number of ties.

    The curve begins at k = 3: tasks with fewer than two others are left out, and so are those on
    which the others' labels tie, which are counted.
    """
    rows, n_tied = [], 0
    for each in entries:
        if not each.is_compared or len(crowd.others(each)) < 2:
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
    """Return (agreeing, all) for each question, sorted by question."""
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for turn, found, n in rows:
        sums[turn][0] += found
        sums[turn][1] += n
    return np.array([sums[turn] for turn in sorted(sums)], np.int64)


class Together:
    """The number of common tasks of every two people, and of those on which they agree.

    `n` and `same` are symmetric, one row a person, in the order of `workers`; the diagonals are 0.
    """

    def __init__(self, crowd: Crowd) -> None:
        self.workers = sorted({who for labels in crowd.labels.values() for who in labels})
        code = {who: number for number, who in enumerate(self.workers)}
        self.n = np.zeros((len(code), len(code)))
        self.same = np.zeros_like(self.n)
        for labels in crowd.labels.values():
            for (who, label), (other, others) in permutations(labels.items(), 2):
                self.n[code[who], code[other]] += 1
                self.same[code[who], code[other]] += label == others

    def without(self, worker: str) -> tuple[Floats, Floats]:
        keep = np.array([who != worker for who in self.workers])
        return self.same[np.ix_(keep, keep)], self.n[np.ix_(keep, keep)]


def _shortfalls(same: Floats, n: Floats) -> tuple[Floats, Floats]:
    """Return each person's agreement, and its expectation if they were as the people whom they met.

    The expectation is the mean, over their pairs, of the other person's agreement with everybody
    else; so it does not matter whom they happened to meet. Pairs whose other person met nobody else
    are left out; NaN if none is left.
    """
    elsewhere = n.sum(axis=1)[None, :] - n
    rate = ratio(same.sum(axis=1)[None, :] - same, elsewhere)
    met = np.where(elsewhere > 0, n, 0.0)
    own = ratio(np.where(met > 0, same, 0.0).sum(axis=1), met.sum(axis=1))
    return own, ratio((met * np.nan_to_num(rate)).sum(axis=1), met.sum(axis=1))


@dataclass(frozen=True, slots=True)
class Fellows:
    """The agreement of a person's fellows with everybody else, and the person's comparison."""

    expected: float | None
    beside: RobustZ


def below_the_others(
    worker: str, pairs: Sequence[Pairs], together: Together, *, why: str = NO_OTHERS
) -> Fellows:
    """Compare a person's agreement with others with that of these others with everybody else.

    The difference of agreement and that expectation is compared with 0. Its spread among honest
    people is estimated from everybody else, without this person; their median is not used, because
    people who met somebody that presses any key agree more than expected. The error of the share is
    that of a ratio over questions, sum (a - x n)^2 / N^2 * Q / (Q - 1), and not less than that of N
    independent pairs.
    """
    if not pairs:
        return Fellows(None, RobustZ(None, None, None, 0, why))
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
    """Return the variance of the share and its degrees of freedom; None for one question."""
    n_questions = len(sums)
    if n_questions < 2:
        return None
    found, n = sums[:, 0].astype(float), sums[:, 1].astype(float)
    total, share = n.sum(), found.sum() / n.sum()
    of_questions = ((found - share * n) ** 2).sum() / total**2 * n_questions / (n_questions - 1)
    smoothed = (found.sum() + 0.5) / (total + 1)
    return float(max(of_questions, smoothed * (1 - smoothed) / total)), n_questions - 1
