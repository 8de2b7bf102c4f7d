"""What a pilot brought, and what the full batch costs and takes. No Django."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import TYPE_CHECKING

from sampling import pay
from stats import student_t
from stats.clusters import SINGLE_CLUSTER
from stats.proportion_intervals import Interval, wilson

if TYPE_CHECKING:
    from stats.clustered_proportions import ClusterSums


@dataclass(frozen=True)
class Settled:
    """One item that was asked about and has a verdict: its cluster, and whether its label is the accepted one."""

    cluster: int
    is_accepted: bool


@dataclass(frozen=True)
class Yield:
    """Accepted items for each judgement.

    share     of the items that are accepted, with its interval: conversations are alike
    value     n_accepted / n_judgements; None without a judgement
    interval  that of the share, times items for each judgement: how often an item is asked is no chance
    """

    n_accepted: int
    n_items: int
    n_judgements: int
    share: Interval

    @property
    def value(self) -> float | None:
        return self.n_accepted / self.n_judgements if self.n_judgements else None

    @property
    def interval(self) -> Interval:
        if self.share.low is None or self.share.high is None or not self.n_judgements:
            return Interval(None, None, self.share.reason or "no judgements")
        scale = self.n_items / self.n_judgements
        return Interval(self.share.low * scale, self.share.high * scale)


def yield_of(items: Iterable[Settled], n_judgements: int) -> Yield:
    """Return the yield of these items, which have `n_judgements` counted judgements together."""
    from stats.clustered_proportions import ClusterSums  # noqa: PLC0415  numpy: only where a page counts

    rows = list(items)
    sums = ClusterSums.of((each.cluster, int(each.is_accepted)) for each in rows)
    n_accepted = sum(each.is_accepted for each in rows)
    return Yield(n_accepted, len(rows), n_judgements, _share_interval(sums))


def _share_interval(sums: "ClusterSums") -> Interval:
    """Return ClusterSums.interval_of_share(), with Student's t without scipy."""
    if not sums.n:
        return Interval(None, None, "no items")
    if (effect := sums.design_effect) is None:
        return Interval(None, None, SINGLE_CLUSTER)
    if sums.is_independent:
        return wilson(sum(sums.sums), sums.n)
    z = student_t.quantile(0.975, sums.n_clusters - 1) * sqrt(effect)
    return wilson(sum(sums.sums), sums.n, z)


@dataclass(frozen=True)
class LabelDisputes:
    """Items in which somebody gave a label.

    n            of these items
    n_disputed   those in which somebody else gave another label
    n_waiting    those of them that are in dispute still
    n_upheld     those of them whose label an adjudicator decided to be this one
    n_decided    those of them that an adjudicator decided
    """

    label: str
    n: int
    n_disputed: int
    n_waiting: int
    n_upheld: int
    n_decided: int


def disputes_by_label(
    labels: Sequence[str],
    votes: Iterable[tuple[int, Iterable[str]]],
    waiting: frozenset[int],
    decided: Mapping[int, str],
) -> list[LabelDisputes]:
    """Return a line for each label, in their order.

    `votes` has the labels given to each item; `waiting` the items in dispute; `decided` the adjudicated labels.
    """
    given = {item: set(labels) for item, labels in votes}
    lines = []
    for label in labels:
        having = [item for item, found in given.items() if label in found]
        disputed = [item for item in having if len(given[item]) > 1]
        by_adjudicator = [decided[item] for item in disputed if item in decided]
        lines.append(
            LabelDisputes(
                label=label,
                n=len(having),
                n_disputed=len(disputed),
                n_waiting=sum(item in waiting for item in disputed),
                n_upheld=by_adjudicator.count(label),
                n_decided=len(by_adjudicator),
            )
        )
    return lines


@dataclass(frozen=True)
class FullBatch:
    """A full batch of `n_items`, each judged `judgements` times by different people at `seconds` a judgement.

    `accepted` is the share of accepted items, with its interval; `most_per_person` the most items that one person is
    handed, None for no limit.
    """

    n_items: int
    judgements: int
    price: pay.Money | None
    seconds: float
    accepted: Yield | None
    most_per_person: int | None = None

    @property
    def n_judgements(self) -> int:
        return self.n_items * self.judgements

    @property
    def cost(self) -> pay.Money | None:
        return self.price.times(self.n_judgements) if self.price else None

    @property
    def hours(self) -> float:
        """Return the hours of work of all people together."""
        return pay.hours(self.n_judgements, self.seconds)

    def hours_each(self, n_people: int) -> float | None:
        """Return the hours of each of so many people; None where they cannot finish it."""
        return self.hours / n_people if self.can_finish(n_people) else None

    def can_finish(self, n_people: int) -> bool:
        return n_people >= self.n_people_needed

    @property
    def n_people_needed(self) -> int:
        """Return how many people can finish it: nobody judges an item twice, or more items than the most."""
        if not self.most_per_person:
            return self.judgements
        return max(self.judgements, ceil(self.n_judgements / self.most_per_person))

    @property
    def expected(self) -> tuple[float, float, float] | None:
        """Return how many items will be accepted if they are as those of the pilot, with the interval's ends."""
        found = self.accepted
        if found is None or found.share.low is None or found.share.high is None:
            return None
        share = found.n_accepted / found.n_items
        return self.n_items * share, self.n_items * found.share.low, self.n_items * found.share.high
