"""How many items a person holds: the one on the screen and those fetched ahead of it."""

from math import ceil

# So long a person can go on without a network.
SECONDS_AHEAD = 600
# However short an item is: those who leave hold this many until their claims expire.
MOST_BY_DEFAULT = 40
LEAST = 2


def default_depth(expected_seconds: int, claim_seconds: int) -> int:
    """Enough items for SECONDS_AHEAD, as far as they can be judged in half the time of a claim."""
    wanted = min(ceil(SECONDS_AHEAD / expected_seconds), MOST_BY_DEFAULT)
    in_time = claim_seconds // (2 * expected_seconds)
    return max(LEAST, min(wanted, in_time))


def fair_depth(depth: int, n_open: int, n_people: int) -> int:
    """The depth when only `n_open` items are left for all: one person holds no more than half of an equal share.

    So nobody waits at the end for items that lie unread in another browser.
    """
    return max(LEAST, min(depth, n_open // (2 * max(n_people, 1))))
