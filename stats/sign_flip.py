"""A permutation test whether questions favour one side.

A question has a number d, by how much it favours one side (less than 0: the other). If the sides
were alike, each question's d could as well be -d, so all 2^n choices of signs are equally likely,
and two-sided

    p = P(|Σ ±d| >= |Σ d|)                        Fisher 1935, The Design of Experiments, §21

The numbers are whole, so sums are counted, not listed: however many questions, the distribution of
the sum is that of one number after another added with either sign, over at most Σ |d| values. If
the numbers (by their greatest common divisor) sum to more than a million, 10,000 choices are drawn
by `seed` instead, the observed one counting as one more (Phipson and Smyth 2010, Stat. Appl. Genet.
Mol. Biol. 9:39): p = (1 + hits) / 10,001.

Undefined if all are 0. Right: 1 1 1 -1 → of 16 choices ten have |Σ| >= 2, p = .625. With numbers of
1 and -1 only this is the exact form of McNemar's test.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np

from stats.agreement.judgement_table import Floats, Ints

MOST_COUNTED = 1_000_000
CHOICES = 10_000
AT_ONCE = 2_000_000

NEVER_APART = "no question speaks for either"


@dataclass(frozen=True, slots=True)
class SignFlip:
    """The p-value; None with the reason. `is_exact` if all choices of signs were counted."""

    p: float | None
    reason: str | None
    is_exact: bool


def sign_flip(numbers: Sequence[int], *, seed: int) -> SignFlip:
    """Test one number a question; their order changes nothing."""
    known = sorted(abs(each) for each in numbers if each)
    if not known:
        return SignFlip(None, NEVER_APART, is_exact=True)
    step = gcd(*known)
    sizes, observed = [each // step for each in known], abs(sum(numbers)) // step
    if sum(sizes) <= MOST_COUNTED:
        return SignFlip(_exact_p(sizes, observed), None, is_exact=True)
    return SignFlip(_sampled_p(np.array(sizes, np.int64), observed, seed), None, is_exact=False)


def _exact_p(sizes: Sequence[int], observed: int) -> float:
    """Return p from `chances[b]`, with b the sum of the numbers with a plus: Σ ±d = 2b - Σ d."""
    total = sum(sizes)
    chances: Floats = np.zeros(total + 1)
    chances[0], reach = 1.0, 0
    for size in sizes:
        before = chances[: reach + 1].copy()
        reach += size
        chances[: reach + 1] /= 2
        chances[size : reach + 1] += before / 2
    # |2b - total| >= seen: as many below as above
    few = (total - observed) // 2
    return min(1.0, 2 * float(chances[: few + 1].sum())) if observed else 1.0


def _sampled_p(sizes: Ints, observed: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    at_once, hits = max(1, AT_ONCE // len(sizes)), 0
    for start in range(0, CHOICES, at_once):
        shape = (min(at_once, CHOICES - start), len(sizes))
        sums = (rng.integers(0, 2, size=shape) * 2 - 1) @ sizes
        hits += int((np.abs(sums) >= observed).sum())
    return (1 + hits) / (1 + CHOICES)
