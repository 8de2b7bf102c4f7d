"""The rule of a pool of pairs: a random draw of pairs of accepted answers of a release. Imports no Django.

Any two accepted answers of a turn are a pair. Of the N pairs that no earlier pool of pairs has, the n with the
smallest lots are drawn, or all if there are at most n: a simple random sample. A lot depends on seed, turn and the two
texts alone, so the draw does not depend on the order of rows, and a larger one with the same seed contains the
smaller one. Another lot decides which answer is the first on the screen, with the probability 1/2.
"""

import heapq
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

from stats.lots import lot

MOST = 10_000
DEFAULT_SIZE = 100


class PairRuleError(ValueError):
    """The rule is invalid; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class PairRule:
    """The release whose accepted answers are paired, by its number, and how many pairs are drawn."""

    release: int
    n: int
    seed: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.n <= MOST:
            raise PairRuleError(f"the number of pairs is {self.n}, but has to be 1 to {MOST:,}")

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


class Pair(NamedTuple):
    """Two texts of a turn by their hashes, in the order of the screen; `turn` is the turn's id in files."""

    turn: str
    first: str
    second: str

    @property
    def unordered(self) -> "Pair":
        """The same pair in the order of the hashes."""
        return Pair(self.turn, *sorted((self.first, self.second)))


@dataclass(frozen=True)
class PairDraw:
    """The drawn pairs, sorted by turn and hashes, of `n_pairs`; `n_earlier` more were in earlier pools."""

    pairs: tuple[Pair, ...]
    n_pairs: int
    n_earlier: int


def draw(
    answers: Mapping[str, Iterable[str]], rule: PairRule, *, earlier: Collection[Pair] = ()
) -> PairDraw:
    """Draw pairs of the answers, which are hashes of texts by turn. `earlier` pairs are not drawn again."""
    known = {pair.unordered for pair in earlier}
    of_turns = {turn: set(texts) for turn, texts in answers.items()}
    all_pairs = (
        Pair(turn, *two)
        for turn in sorted(of_turns)
        for two in combinations(sorted(of_turns[turn]), 2)
    )
    # A turn with many answers has very many pairs: they are told over, and only the drawn ones are kept.
    left = (pair for pair in all_pairs if pair not in known)
    drawn = heapq.nsmallest(rule.n, left, key=lambda pair: lot(rule.seed, *pair))
    n_earlier = sum({first, second} <= of_turns.get(turn, set()) for turn, first, second in known)
    return PairDraw(
        pairs=tuple(_shuffled(pair, rule.seed) for pair in sorted(drawn)),
        n_pairs=sum(comb(len(texts), 2) for texts in of_turns.values()) - n_earlier,
        n_earlier=n_earlier,
    )


def _shuffled(pair: Pair, seed: int) -> Pair:
    is_swapped = lot("order", seed, *pair) % 2
    return Pair(pair.turn, pair.second, pair.first) if is_swapped else pair
