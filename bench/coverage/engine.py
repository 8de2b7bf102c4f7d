"""Tables of shares over simulated data sets: how often an interval contains the true value, or a test rejects.

    CASE = Case("rates", "…", simulate, Sizes((30, 100, 300), n_sets=1_000), Sizes((30, 100), n_sets=200))
    for line in table(CASE, CASE.quick): print(line)

A case yields observations of each data set: whether an interval contains the true value (`contained`), whether
a test of what is equal rejects (`rejected`), or another share. The engine adds them up by figure. A cell is per
cent, then the per cent of data sets without an interval. An asterisk marks an interval that contains the true
value in less than 93 %, or a test that rejects in more than 5 %, by more than twice the error of simulation.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import sqrt

from stats.proportion_intervals import Interval

CONTAINED, REJECTED = "contained", "rejected"
LEAST_CONTAINED, MOST_REJECTED = 0.93, 0.05
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Observation:
    """A share of a data set, mostly 0 or 1; None where it has no interval.

    `weight` is the probability of an outcome where all outcomes are computed, or the number of things
    that the share is of.
    """

    what: str
    figure: str
    share: float | None
    weight: float = 1.0


@dataclass(frozen=True)
class Sizes:
    """Numbers of questions, and of data sets for each. `n_sets` is 0 where the result is exact."""

    sizes: tuple[int, ...]
    n_sets: int


@dataclass(frozen=True)
class Case:
    """A row of `bench.coverage.cases`. `simulate` takes a size and a number of data sets."""

    name: str
    about: str
    simulate: Callable[[int, int], Iterable[Observation]]
    full: Sizes
    quick: Sizes
    unit: str = "questions"


@dataclass
class Tally:
    total: float = 0.0
    weight: float = 0.0
    without: float = 0.0

    def add(self, observation: Observation) -> None:
        if observation.share is None:
            self.without += observation.weight
        else:
            self.total += observation.weight * observation.share
            self.weight += observation.weight

    @property
    def share(self) -> float | None:
        return self.total / self.weight if self.weight else None

    def cell(self, what: str, *, n_sets: int) -> str:
        if self.share is None:
            return "none"
        error = 2 * sqrt(self.share * (1 - self.share) / n_sets) if n_sets else 0.005
        is_low = what == CONTAINED and self.share < LEAST_CONTAINED - error
        is_high = what == REJECTED and self.share > MOST_REJECTED + error
        missing = self.without / (self.weight + self.without)
        return (
            f"{100 * self.share:.1f}"
            + ("*" if is_low or is_high else "")
            + (f" ({100 * missing:.1f} none)" if missing >= 0.0005 else "")
        )


def contained(figure: str, interval: Interval, true: float, weight: float = 1.0) -> Observation:
    """Return whether the interval contains the true value."""
    if interval.low is None or interval.high is None:
        return Observation(CONTAINED, figure, None, weight)
    holds = interval.low - ROUNDING <= true <= interval.high + ROUNDING
    return Observation(CONTAINED, figure, float(holds), weight)


def rejected(figure: str, *, is_rejected: bool) -> Observation:
    return Observation(REJECTED, figure, float(is_rejected))


def tallies(case: Case, size: int, n_sets: int) -> dict[tuple[str, str], Tally]:
    """Return the sums of a case at one size, by what is counted and figure."""
    sums: dict[tuple[str, str], Tally] = {}
    for each in case.simulate(size, n_sets):
        sums.setdefault((each.what, each.figure), Tally()).add(each)
    return sums


def table(case: Case, of: Sizes) -> Iterator[str]:
    """Yield the lines of a case's table."""
    by_size = {size: tallies(case, size, of.n_sets) for size in of.sizes}
    rows = dict.fromkeys(key for sums in by_size.values() for key in sums)
    yield f"\n{case.name}: {case.about}" + (f" {of.n_sets:,} data sets each." if of.n_sets else "")
    yield f"\n| figure | per cent | {' | '.join(f'{n} {case.unit}' for n in of.sizes)} |"
    yield "| --- " * (len(of.sizes) + 2) + "|"
    for what, figure in rows:
        cells = [
            by_size[size].get((what, figure), Tally()).cell(what, n_sets=of.n_sets)
            for size in of.sizes
        ]
        yield f"| {figure} | {what} | {' | '.join(cells)} |"
