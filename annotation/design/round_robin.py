"""The rounds of a tournament of n: every two meet in exactly one of them. Plain Python.

In one round everybody meets equally many others:
    n even   n - 1 rounds, in each everybody meets 1. The circle method: one stays in the middle, the others stand
             in a circle; in round r the middle meets place r, and places r + i and r - i meet
    n odd    (n - 1) / 2 rounds, in each everybody meets 2. Cyclic: in the round of the distance d everybody in
             the circle meets who stands d places further on, and is met from d places before
Some of the rounds are an incomplete design in which everybody has as many opponents as everybody else. Two rounds
of an even n that follow each other join all n into one ring, and so does the distance 1 of an odd n.

Source: H. A. David, The Method of Paired Comparisons (1988), chapter 5; the distances are the cyclic designs of
J. A. John, "Cyclic incomplete block designs", JRSS B 28 (1966), in blocks of two.
"""

from math import ceil

Round = list[tuple[int, int]]


def of(n: int) -> list[Round]:
    """The rounds of those in the places 0 to n - 1, who meets whom in each; none of fewer than two."""
    if n < 2:
        return []
    return _with_one_in_the_middle(n) if n % 2 == 0 else _at_a_distance(n)


def _with_one_in_the_middle(n: int) -> list[Round]:
    middle, around = n - 1, n - 1
    return [
        [
            (r, middle),
            *(((r + i) % around, (r - i) % around) for i in range(1, n // 2)),
        ]
        for r in range(around)
    ]


def _at_a_distance(n: int) -> list[Round]:
    return [[(i, (i + d) % n) for i in range(n)] for d in range(1, n // 2 + 1)]


def needed(n: int, opponents: int | None) -> int:
    """How many rounds it takes until everybody met so many others; all of them for None, or where there are
    fewer others. An odd number of opponents among an odd number takes one opponent more: n times an odd
    number of meetings cannot be counted in twos.
    """
    there = n - 1 if n % 2 == 0 else n // 2
    if n < 2 or opponents is None:
        return max(there, 0)
    return min(there, ceil(opponents / met_in_one(n)))


def met_in_one(n: int) -> int:
    """How many others everybody meets in one round."""
    return 1 if n % 2 == 0 else 2


def n_meetings(n: int, opponents: int | None) -> int:
    """How many pairs the rounds that are needed hold."""
    return needed(n, opponents) * met_in_one(n) * n // 2
