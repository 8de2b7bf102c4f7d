"""The labels that a person confuses: counts, and Dawid and Skene's estimate."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from stats.annotators.entries import Entry
from stats.annotators.peers import Crowd

# Of one `asked`: each person's probabilities of saying a label (column) where another is true (row), by
# the labels in order; or why there are none.
Matrix = list[list[float]]


@dataclass(frozen=True, slots=True)
class EstimatedConfusion:
    """The confusion matrices of an item response model, by pseudonym; empty with a `reason`."""

    labels: list[str]
    matrices: Mapping[str, Matrix]
    reason: str | None = None
    model: str = ""


Estimate = Callable[[Sequence[Entry]], EstimatedConfusion]


@dataclass(frozen=True, slots=True)
class Confusion:
    """`counts[i][j]`: how often the person gave labels[j] where most of the others gave labels[i].

    `estimated` is the person's matrix of probabilities, rows as truth; None with a `reason`.
    """

    asked: str
    labels: list[str]
    counts: list[list[int]]
    estimated_labels: list[str]
    estimated: Matrix | None
    reason: str | None
    model: str


def confusion(
    asked: str,
    entries: Sequence[Entry],
    crowd: Crowd,
    estimated: EstimatedConfusion,
    labels: Sequence[str],
) -> Confusion:
    """Return the confusion of one person; `entries` are theirs on one `asked`."""
    cells: Counter[tuple[str, str]] = Counter()
    for each in entries:
        others = crowd.others(each)
        label = others[0] if len(others) == 1 else crowd.plurality(each)
        if each.is_compared and label is not None:
            cells[label, each.label] += 1
    worker = entries[0].worker
    matrix = estimated.matrices.get(worker)
    missing = None if matrix else "none of the person's judgements counts"
    return Confusion(
        asked=asked,
        labels=list(labels),
        counts=[[cells[row, column] for column in labels] for row in labels],
        estimated_labels=estimated.labels,
        estimated=matrix,
        reason=estimated.reason or missing,
        model=estimated.model,
    )
