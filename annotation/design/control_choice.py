"""Which settled items become control items: drawn by a seed, as evenly over the labels as there are items."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stats.lots import lot

# With fewer items of a label the recall of that label says next to nothing.
LEAST_OF_A_LABEL = 5


@dataclass(frozen=True)
class Settled:
    """A settled item, by its key: its question, what it shows (SHA-256) and the label of its verdict."""

    item: int
    turn: int
    sha256: str
    label: str


def chosen(settled: Iterable[Settled], n: int, seed: int) -> list[Settled]:
    """At most `n` of the items, at most one of a question: of each label in turn the next by lot, those of the label
    with the fewest items first, so that a question with several labels goes to the rarest.
    """
    by_label: dict[str, list[Settled]] = defaultdict(list)
    for each in sorted(settled, key=lambda each: lot(seed, each.sha256)):
        by_label[each.label].append(each)
    queues = sorted(by_label.items(), key=lambda pair: (len(pair[1]), pair[0]))
    found: list[Settled] = []
    turns: set[int] = set()
    while len(found) < n:
        before = len(found)
        for _, queue in queues:
            following = next((each for each in queue if each.turn not in turns), None)
            if following is not None and len(found) < n:
                queue.remove(following)
                turns.add(following.turn)
                found.append(following)
        if len(found) == before:
            break
    return found


def rare_labels(labels: Iterable[str], of_scheme: Sequence[str]) -> dict[str, int]:
    """The labels of the scheme that fewer than LEAST_OF_A_LABEL of these are, with how many are."""
    counts = dict.fromkeys(of_scheme, 0)
    for label in labels:
        counts[label] += 1
    return {label: n for label, n in counts.items() if n < LEAST_OF_A_LABEL}
