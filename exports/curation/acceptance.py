"""How many of the questions of a batch of curation were accepted. Imports no Django.

Accepted are questions that were kept or edited, of those that were decided. Intervals of shares are Wilson's, which take
questions as independent; those of one text are alike, so that they are rather too short.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from annotation import curating
from stats.proportion_intervals import wilson

ALL = "all"


@dataclass(frozen=True, slots=True)
class Made:
    """A question that was decided: how it was made, and its outcome."""

    type: str
    section: str
    maker: str
    outcome: str


@dataclass(frozen=True, slots=True)
class AcceptanceRow:
    """The questions of one kind. `share` and its 95 % interval are of accepted ones among `n`; None without any."""

    type: str
    section: str
    maker: str
    n: int
    n_kept: int
    n_edited: int
    n_rejected: int
    share: float | None
    low: float | None
    high: float | None


def acceptance(questions: Sequence[Made]) -> list[AcceptanceRow]:
    """A row for all, one for each type, section and maker by itself, then one for each that occurs together."""
    groups: dict[tuple[str, str, str], list[Made]] = defaultdict(list)
    for each in questions:
        keys = ((each.type, ALL, ALL), (ALL, each.section, ALL), (ALL, ALL, each.maker))
        for key in {(ALL, ALL, ALL), *keys, (each.type, each.section, each.maker)}:
            groups[key].append(each)
    return [_row(key, groups[key]) for key in sorted(groups, key=_place)]


def _place(key: tuple[str, str, str]) -> tuple[object, ...]:
    n_all = key.count(ALL)
    return (-n_all, *(part == ALL for part in key), *key)


def _row(key: tuple[str, str, str], questions: Sequence[Made]) -> AcceptanceRow:
    n_of = Counter(each.outcome for each in questions)
    n = len(questions)
    n_accepted = n_of[curating.KEPT] + n_of[curating.EDITED]
    interval = wilson(n_accepted, n)
    return AcceptanceRow(
        *key,
        n=n,
        n_kept=n_of[curating.KEPT],
        n_edited=n_of[curating.EDITED],
        n_rejected=n_of[curating.REJECTED],
        share=n_accepted / n if n else None,
        low=interval.low,
        high=interval.high,
    )
