"""The rounds of a tournament of n players: any two meet in exactly one of them. Imports no Django.

In one round all players meet the same number of others:
    n even   n - 1 rounds with 1 opponent each. The circle method: one player is in the middle, the others are in
             a circle; in round r the player in the middle meets place r, and places r + i and r - i meet
    n odd    (n - 1) / 2 rounds with 2 opponents each. Cyclic: in the round of distance d each player meets those
             d places before and after them in the circle
A subset of the rounds is an incomplete design in which all players have the same number of opponents. For even n
two successive rounds connect all players into one ring; for odd n the round of distance 1 does.

Source: H. A. David, The Method of Paired Comparisons (1988), chapter 5; the distances are the cyclic designs of
J. A. John, "Cyclic incomplete block designs", JRSS B 28 (1966), in blocks of two.
"""

from math import ceil

Round = list[tuple[int, int]]


def rounds(n: int) -> list[Round]:
    """The rounds for players 0 to n - 1, each with its meetings; [] for fewer than two players."""
    if n < 2:
        return []
    return _circle_rounds(n) if n % 2 == 0 else _cyclic_rounds(n)


def _circle_rounds(n: int) -> list[Round]:
    middle, around = n - 1, n - 1
    return [
        [
            (r, middle),
            *(((r + i) % around, (r - i) % around) for i in range(1, n // 2)),
        ]
        for r in range(around)
    ]


def _cyclic_rounds(n: int) -> list[Round]:
    return [[(i, (i + d) % n) for i in range(n)] for d in range(1, n // 2 + 1)]


def n_rounds(n: int, opponents: int | None) -> int:
    """The number of rounds in which each player meets this many others; None for all others.

    If both numbers are odd, each player meets one more: n times an odd number is odd, and each meeting counts
    for two players.
    """
    n_all = n - 1 if n % 2 == 0 else n // 2
    if n < 2 or opponents is None:
        return max(n_all, 0)
    return min(n_all, ceil(opponents / opponents_in_round(n)))


def opponents_in_round(n: int) -> int:
    """How many others each player meets in one round."""
    return 1 if n % 2 == 0 else 2


def n_meetings(n: int, opponents: int | None) -> int:
    """The number of meetings in the rounds of n_rounds()."""
    return n_rounds(n, opponents) * opponents_in_round(n) * n // 2
