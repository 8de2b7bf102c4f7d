"""How many of the questions of a batch of curation were accepted. Imports no Django.

Accepted are questions that were kept or edited, of those that were decided. Intervals of shares are Wilson's, which take
questions as independent; those of one text are alike, so that they are rather too short.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from annotation import curating
from stats.proportion_intervals import wilson

# A type, a section and a maker; None for all.
Kind = tuple[str | None, str | None, str | None]


@dataclass(frozen=True, slots=True)
class Made:
    """A question that was decided: how it was made, and its outcome."""

    type: str
    section: str
    maker: str
    outcome: str


@dataclass(frozen=True, slots=True)
class AcceptanceRow:
    """The questions of one kind; a type, section or maker of None is all of them.

    `share` and its 95 % interval are of accepted ones among `n`; None without any.
    """

    type: str | None
    section: str | None
    maker: str | None
    n: int
    n_kept: int
    n_edited: int
    n_rejected: int
    share: float | None
    low: float | None
    high: float | None

    @property
    def kind(self) -> Kind:
        return self.type, self.section, self.maker


def acceptance(questions: Sequence[Made]) -> list[AcceptanceRow]:
    """A row for all, one for each type, section and maker by itself, then one for each that occurs together."""
    groups: dict[Kind, list[Made]] = defaultdict(list)
    for each in questions:
        keys = ((each.type, None, None), (None, each.section, None), (None, None, each.maker))
        for key in ((None, None, None), *keys, (each.type, each.section, each.maker)):
            groups[key].append(each)
    return [_row(key, groups[key]) for key in sorted(groups, key=_place)]


def _place(key: Kind) -> tuple[object, ...]:
    is_all = [part is None for part in key]
    return (-sum(is_all), *is_all, *(part or "" for part in key))


def _row(key: Kind, questions: Sequence[Made]) -> AcceptanceRow:
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
