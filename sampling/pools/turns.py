"""Draw the turns of a pool, if there are more than the study wants to pay for.

Eligible are the turns that give a candidate under the rest of the rule. Of N eligible turns in
strata of N_h, `n` are drawn: n_h of each stratum, by `allocation`:

    proportional  n N_h / N, rounded by largest remainder (Hamilton); ties: the larger stratum, then its name
    equal         as near to n / H each as the strata are large; what is left over one each, in that order

Within a stratum each turn has a lot, the SHA-256 of seed and turn, so the order of turns and runs
does not matter. The n_h smallest lots are drawn, each turn with the probability n_h / N_h. With a
preference for disagreement the probability of a turn is proportional to

    max(1 - likeness, LEAST_WEIGHT)        at most 1: a turn that would have more is drawn for certain

and turns are drawn by systematic sampling in order of their lots (Madow 1949), which gives exactly
n_h turns and each exactly its probability. So a turn on which the runs agree is drawn rarely, but
never with probability 0: shares could be estimated, each candidate weighing 1 / its inclusion
probability (Horvitz and Thompson 1952). `stats.roc` uses these weights; the rates of runs do not,
and say so (`exports.results.figures.draw_kind`).

likeness is the mean cosine of the word counts of two of the turn's distinct answers: of n unit
vectors u, (|sum u|^2 - n) / (n (n - 1)). Sums are rounded once (math.fsum): their order changes
nothing. It approximates the mean pairwise SAS: docs/adr/0010-what-was-not-asked-about.md.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Literal, NamedTuple

from stats.lots import lot

Strata = Literal["depth", "question_word", "n_candidates"]
Allocation = Literal["proportional", "equal"]
STRATA: tuple[Strata, ...] = ("depth", "question_word", "n_candidates")
ALLOCATIONS: tuple[Allocation, ...] = ("proportional", "equal")
DISAGREEMENT = "disagreement"

# Of the weight that a turn has whose answers share no word.
LEAST_WEIGHT = 0.05
# Weights are compared in whole numbers.
FINENESS = 1_000_000
_LOTS = 2**64

# In English; what begins otherwise, or in another language, is "other".
_AROUND = "\"'.,:;!?-\u2018\u2019\u201c\u201d\u00bf\u00a1"
QUESTION_WORDS = frozenset(["what", "which", "who", "whom", "whose", "when", "where", "why", "how"])
_YES_OR_NO = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "am",
        "do",
        "does",
        "did",
        "has",
        "have",
        "had",
        "can",
        "could",
        "will",
        "would",
        "shall",
        "should",
        "may",
        "might",
        "must",
    ]
)


class Eligible(NamedTuple):
    """A turn that would give candidates.

    `likeness` is None if fewer than two answers are distinct.
    """

    turn: str
    stratum: str
    likeness: float | None


@dataclass(frozen=True, slots=True)
class TurnRule:
    """The number of turns to draw, and how."""

    n: int
    allocation: Allocation
    prefers_disagreement: bool
    seed: int


def choose(rule: TurnRule, eligible: Iterable[Eligible]) -> dict[str, float]:
    """Return the drawn turns, each with its inclusion probability.

    All, with 1, if there are at most n.
    """
    strata: dict[str, list[Eligible]] = defaultdict(list)
    for turn in eligible:
        strata[turn.stratum].append(turn)
    sizes = {name: len(turns) for name, turns in strata.items()}
    share = allocate(sizes, rule.n, rule.allocation)
    probabilities: dict[str, float] = {}
    for name, turns in strata.items():
        probabilities |= _draw(rule, turns, share[name])
    return probabilities


def chances(rule: TurnRule, eligible: Iterable[Eligible]) -> dict[str, float]:
    """Return the inclusion probability of every eligible turn, drawn or not, if it is not 0."""
    strata: dict[str, list[Eligible]] = defaultdict(list)
    for turn in eligible:
        strata[turn.stratum].append(turn)
    share = allocate({name: len(turns) for name, turns in strata.items()}, rule.n, rule.allocation)
    probabilities: dict[str, float] = {}
    for name, turns in strata.items():
        if rule.prefers_disagreement:
            probabilities |= _chances_by_weight(turns, share[name])
        else:
            probabilities |= {each.turn: share[name] / len(turns) for each in turns}
    return {turn: chance for turn, chance in probabilities.items() if chance}


def allocate(sizes: Mapping[str, int], n: int, allocation: Allocation) -> dict[str, int]:
    """Return the number to draw of each stratum; together n, or all if there are fewer.

    Right: 90 and 10 with n = 10 are 9 and 1, or equally 5 and 5. Wrong: to draw 25 of a stratum of
    10.
    """
    n = min(n, sum(sizes.values()))
    in_order = sorted(sizes, key=lambda name: (-sizes[name], name))
    if allocation == "equal":
        return _equal_allocation(sizes, n, in_order)
    whole = sum(sizes.values())
    share = {name: n * sizes[name] // whole for name in in_order}
    remainder = {name: n * sizes[name] % whole for name in in_order}
    left = n - sum(share.values())
    for name in sorted(in_order, key=lambda name: -remainder[name])[:left]:
        share[name] += 1
    return share


def _equal_allocation(sizes: Mapping[str, int], n: int, in_order: Sequence[str]) -> dict[str, int]:
    share = dict.fromkeys(in_order, 0)
    while left := n - sum(share.values()):
        open_ones = [name for name in in_order if share[name] < sizes[name]]
        each = left // len(open_ones)
        if not each:
            open_ones, each = open_ones[:left], 1
        for name in open_ones:
            share[name] += min(each, sizes[name] - share[name])
    return share


def _draw(rule: TurnRule, turns: Sequence[Eligible], n: int) -> dict[str, float]:
    in_order = sorted(
        turns, key=lambda each: (lot(rule.seed, "turn", each.turn, separator=" "), each.turn)
    )
    if rule.prefers_disagreement:
        return _systematic_sample(in_order, n, rule.seed)
    return {each.turn: n / len(turns) for each in in_order[:n]}


def _systematic_sample(turns: Sequence[Eligible], n: int, seed: int) -> dict[str, float]:
    """Systematic sampling with probabilities proportional to the weights; in whole numbers throughout."""
    weights = {each.turn: _weight(each.likeness) for each in turns}
    certain = _certain_turns(weights, n)
    probabilities = dict.fromkeys(certain, 1.0)
    rest = [each for each in turns if each.turn not in probabilities]
    n -= len(certain)
    if not n or not rest:
        return probabilities
    whole = sum(weights[each.turn] for each in rest)
    # Point k lies at (start + k) of n equal parts of all weights laid end to end.
    start = lot(seed, "turn", "start", rest[0].stratum, separator=" ") % _LOTS
    point, end = start * whole, 0
    for each in rest:
        end += weights[each.turn]
        if point < end * n * _LOTS:
            probabilities[each.turn] = n * weights[each.turn] / whole
            point += _LOTS * whole
    return probabilities


def _chances_by_weight(turns: Sequence[Eligible], n: int) -> dict[str, float]:
    weights = {each.turn: _weight(each.likeness) for each in turns}
    certain = dict.fromkeys(_certain_turns(weights, n), 1.0)
    rest = {turn: weight for turn, weight in weights.items() if turn not in certain}
    n, whole = n - len(certain), sum(rest.values())
    return certain | {turn: n * weight / whole for turn, weight in rest.items()}


def _certain_turns(weights: Mapping[str, int], n: int) -> list[str]:
    """Return the turns drawn with certainty.

    They are repeatedly those whose share of the remaining weights is 1 / n or more.
    """
    heaviest = sorted(weights, key=lambda turn: (-weights[turn], turn))
    whole, n_certain = sum(weights.values()), 0
    while (
        n_certain < min(n, len(heaviest))
        and (n - n_certain) * weights[heaviest[n_certain]] >= whole
    ):
        whole -= weights[heaviest[n_certain]]
        n_certain += 1
    return heaviest[:n_certain]


def _weight(likeness: float | None) -> int:
    apart = 0.0 if likeness is None else 1 - likeness
    return round(FINENESS * max(apart, LEAST_WEIGHT))


def stratum(kind: Strata | None, turn: str, question: str, n_candidates: int) -> str:
    """Return the name of a turn's stratum; every turn has one."""
    if kind == "depth":
        return "first turn" if turn.rpartition("_")[2] == "1" else "later turn"
    if kind == "question_word":
        return question_word(question)
    if kind == "n_candidates":
        return "1 to 4" if n_candidates < 5 else "5 to 9" if n_candidates < 10 else "10 or more"
    return "all"


def question_word(question: str) -> str:
    """Return the kind of question by its first word: what, who, how …, "yes or no", "other"."""
    words = question.lower().split(maxsplit=1)
    first = words[0].strip(_AROUND) if words else ""
    first = first.partition("'")[0].partition("\u2019")[0]  # what's, who's
    if first in QUESTION_WORDS:
        return first
    return "yes or no" if first in _YES_OR_NO else "other"


def likeness(answers: Collection[Sequence[str]]) -> float | None:
    """Return the mean cosine of the word counts of two of these answers, each given as its words.

    0 to 1.

    Returns None for fewer than two. Right: of "a tablet", "a tablet" and "slate": (1 + 0 + 0) / 3.
    """
    n = len(answers)
    if n < 2:
        return None
    parts: dict[str, list[float]] = defaultdict(list)
    for words in answers:
        counted = Counter(words)
        length = sqrt(sum(times * times for times in counted.values()))
        for word, times in counted.items():
            parts[word].append(times / length)
    together = fsum(fsum(each) ** 2 for each in parts.values())
    return min(1.0, max(0.0, (together - n) / (n * (n - 1))))
