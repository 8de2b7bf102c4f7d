"""Estimate what a draw missed from the audit sample of the answers that it left out.

The population is finite: the distinct answers of the turns of one data set, as one pool divided
them. A pool judges all that it drew; of each stratum h of the rest, with N units, an audit sample
judges n by simple random sampling. Of those m are settled, y of them as plausible. All of it is
conditional on the pool: the lots of the sample are the only randomness
(docs/adr/0010-what-was-not-asked-about.md says why).

Totals. The Horvitz-Thompson estimate of the plausible ones (Horvitz & Thompson 1952, JASA
47:663-685)

    T = Σ_h N·y / m          each settled unit represents N / m units; the pool's own N = n itself

is unbiased if all sampled units are settled: m = n, and n / N is the inclusion probability.
Unsettled units count as missing at random within their stratum; the two bounds, none of them
plausible and all of them, are given too. With s² = m/(m-1) · p(1-p), p = y/m, the standard error is
the root of Σ_h N²·(1 - m/N)·s²/m (Cochran 1977, Sampling Techniques, 5.3 and 5.9).

Its interval is not built on that error, which is 0 if none is found plausible. Each stratum has
exact limits l and u of its N·y/m (stats.hypergeometric), and the sum takes its distance from each

    L = T - √Σ(N·y/m - l)²,   U = T + √Σ(u - N·y/m)²     (Zou, Huang & Zhang 2009, CSDA 53:1080-1085)

Rates. A run's units are the texts that it gave: N' of each stratum, m' settled, y' plausible. Given
how many of them were drawn, these are themselves a simple random sample of the run's part of the
stratum. So with the run's own numbers everything above holds: T' = Σ_h N'·y' / m' (poststratified
by run: Cochran 1977, 5A.9; on why to condition on m' Holt & Smith 1979, JRSS A 142:33-46) is within
its exact limits, and these within the number of the run's answers. It is undefined if the run has
units in a stratum of which none is settled. Σ N·y'/m, Horvitz and Thompson's own estimate for a
part of the population, does not use the run's known N': it may exceed them, and its limits, and is
not given.

This is the rate put forward, T' / Σ N', with its limits. Where the run has a stratum of which none of
its answers is settled, its rate is Hájek's, R = Σ(N/m)·y' / Σ(N/m)·m', which takes the strata's
weights from all runs (Hájek 1971; Särndal, Swensson & Wretman 1992, ch. 5). Its standard error is
that of the linearised residuals e = y - R within the run, 0 outside: that of Σ(N/m)·Σe, divided by
Σ(N/m)·m'. It has no interval: R ± 1.96 errors covers 78 to 90 % in simulation, 52 % where the run
has no settled answer in a stratum. The exact one is measured by `python -m bench.coverage --only audit`.

Right: 100 left out, 10 of them judged, 2 plausible: 20 were missed, 3 to 54 of them by exact
limits. Wrong: 2 were missed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import sqrt
from typing import Any

from stats.hypergeometric import limits

NOTHING_JUDGED = "no settled answer of: "
NOTHING_OF_RUN = "no settled answer of the run that is: "
TOO_SHORT = "an interval about it would cover too little"
POOL_UNSETTLED = "not all of the pool is settled"
NONE_PLAUSIBLE = "nothing is plausible"
NO_ANSWERS = "no settled answer of the run"


@dataclass(frozen=True, slots=True)
class Judged:
    """The numbers of units, of judged ones, of settled ones, and of plausible ones."""

    n_units: int = 0
    n_asked: int = 0
    n_settled: int = 0
    n_plausible: int = 0


@dataclass(frozen=True, slots=True)
class Stratum:
    name: str
    judged: Judged
    by_run: Mapping[str, Judged] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Figure:
    """An estimate with its 95 % interval. None with the reason: of the value, or of the interval alone."""

    value: float | None = None
    reason: str | None = None
    low: float | None = None
    high: float | None = None
    no_interval: str | None = None
    error: float | None = None  # the standard error


@dataclass(frozen=True, slots=True)
class StratumFigure:
    """The figures of a stratum.

    `rate` is that of the settled units; `total` estimates the plausible ones.
    """

    name: str
    judged: Judged
    rate: float | None
    total: Figure


@dataclass(frozen=True, slots=True)
class RunFigure:
    """The figures of a run.

    `drawn_rate` is that of the pool alone. Over all strata are `of_all`, poststratified, `hajek`, and
    `rate`, the first of these, or the second without an interval if the first is undefined.
    """

    run: str
    n_units: int
    n_settled: int
    drawn_rate: float | None
    rate: Figure
    hajek: Figure
    of_all: Figure
    total: Figure


@dataclass(frozen=True, slots=True)
class Missed:
    drawn: StratumFigure
    strata: tuple[StratumFigure, ...]
    missed: Figure  # plausible distinct answers that were left out
    missed_least: float | None  # none of the unsettled is plausible
    missed_most: float | None
    plausible: Figure  # all, drawn or not
    found: Figure  # the share of them that was drawn
    runs: tuple[RunFigure, ...]


def estimate(drawn: Stratum, left_out: Sequence[Stratum]) -> Missed:
    """Estimate from the pool's own stratum and those of its audit sample."""
    strata = [drawn, *left_out]
    missed = _plausible_in(left_out)
    least, most = _bounds(left_out)
    runs = sorted({run for stratum in strata for run in stratum.by_run})
    return Missed(
        drawn=_stratum_figure(drawn),
        strata=tuple(map(_stratum_figure, left_out)),
        missed=missed,
        missed_least=least,
        missed_most=most,
        plausible=_plausible_in(strata),
        found=_share_drawn(drawn, missed),
        runs=tuple(_run_figure(run, drawn, strata) for run in runs),
    )


def _stratum_figure(stratum: Stratum) -> StratumFigure:
    judged = stratum.judged
    return StratumFigure(
        stratum.name, judged, _share(judged.n_plausible, judged.n_settled), _plausible_in([stratum])
    )


def _plausible_in(strata: Iterable[Stratum]) -> Figure:
    """Estimate the number of plausible units of the strata."""
    return _total([(each.name, each.judged) for each in strata], NOTHING_JUDGED)


def _total(parts: Iterable[tuple[str, Judged]], nothing: str) -> Figure:
    judged_strata = [(name, each) for name, each in parts if each.n_units]
    if reason := _why_open(judged_strata, nothing):
        return Figure(reason=reason)
    total = below = above = variance = 0.0
    no_error = False
    for _, each in judged_strata:
        value = each.n_units * each.n_plausible / each.n_settled
        low, high = limits(each.n_plausible, each.n_settled, each.n_units)
        total += value
        below += (value - low) ** 2
        above += (high - value) ** 2
        if each.n_settled == 1 < each.n_units:
            no_error = True
        else:
            variance += _variance(each.n_units, each.n_settled, each.n_plausible, each.n_plausible)
    least = sum(each.n_plausible for _, each in judged_strata)
    most = sum(_most_plausible(each) for _, each in judged_strata)
    return Figure(
        value=total,
        low=max(total - sqrt(below), least),
        high=min(total + sqrt(above), most),
        error=None if no_error else sqrt(variance),
    )


def _judged_of_run(stratum: Stratum, run: str) -> Judged:
    return stratum.by_run.get(run, Judged())


def _most_plausible(judged: Judged) -> int:
    return judged.n_units - (judged.n_settled - judged.n_plausible)


def _why_open(judged_strata: Iterable[tuple[str, Judged]], nothing: str) -> str | None:
    names = [name for name, each in judged_strata if not each.n_settled]
    return nothing + ", ".join(names) if names else None


def _variance(of: int, n: int, total: float, squares: float) -> float:
    """Return the variance of N/n times a sample's sum.

    `total` and `squares` are the sums of its n values and of their squares.
    """
    if n == of:
        return 0.0
    return of**2 * (1 - n / of) / n * max(0.0, squares - total**2 / n) / (n - 1)


def _bounds(strata: Iterable[Stratum]) -> tuple[float | None, float | None]:
    some = [each.judged for each in strata if each.judged.n_units]
    if not all(each.n_asked for each in some):
        return None, None
    least = sum(each.n_units * each.n_plausible / each.n_asked for each in some)
    unsettled = sum(each.n_units * (each.n_asked - each.n_settled) / each.n_asked for each in some)
    return least, least + unsettled


def _share_drawn(drawn: Stratum, missed: Figure) -> Figure:
    """Return the share of plausible answers that was drawn: it falls as the missed ones grow."""
    own = _plausible_in([drawn])
    if own.value is None or missed.value is None:
        return Figure(reason=own.reason or missed.reason)
    if not own.value + missed.value:
        return Figure(reason=NONE_PLAUSIBLE)
    value = own.value / (own.value + missed.value)
    if drawn.judged.n_settled < drawn.judged.n_units:
        return Figure(value, no_interval=POOL_UNSETTLED)
    return Figure(
        value,
        low=_share(own.value, own.value + (missed.high or 0)),
        high=_share(own.value, own.value + (missed.low or 0)),
    )


def _run_figure(run: str, drawn: Stratum, strata: Sequence[Stratum]) -> RunFigure:
    own = _judged_of_run(drawn, run)
    parts = [(each.name, _judged_of_run(each, run)) for each in strata]
    n_units = sum(each.n_units for _, each in parts)
    total = _total(parts, NOTHING_OF_RUN)
    of_all, hajek = _per_unit(total, n_units), _hajek(strata, run)
    return RunFigure(
        run=run,
        n_units=n_units,
        n_settled=sum(each.n_settled for _, each in parts),
        drawn_rate=_share(own.n_plausible, own.n_settled),
        rate=of_all if of_all.value is not None else _without_interval(hajek, of_all.reason),
        hajek=hajek,
        of_all=of_all,
        total=total,
    )


def _without_interval(figure: Figure, reason: str | None) -> Figure:
    if figure.value is None:
        return figure
    return Figure(figure.value, no_interval=reason, error=figure.error)


def _hajek(strata: Iterable[Stratum], run: str) -> Figure:
    judged_strata = [each for each in strata if _judged_of_run(each, run).n_units]
    if reason := _why_open([(each.name, each.judged) for each in judged_strata], NOTHING_JUDGED):
        return Figure(reason=reason)
    weighted = [
        (each.judged.n_units / each.judged.n_settled, _judged_of_run(each, run))
        for each in judged_strata
    ]
    size = sum(weight * own.n_settled for weight, own in weighted)
    if not size:
        return Figure(reason=NO_ANSWERS)
    rate = sum(weight * own.n_plausible for weight, own in weighted) / size
    if any(each.judged.n_settled == 1 < each.judged.n_units for each in judged_strata):
        return Figure(rate, no_interval=TOO_SHORT)
    variance = 0.0
    for each in judged_strata:
        y, n = _judged_of_run(each, run).n_plausible, _judged_of_run(each, run).n_settled
        total = y * (1 - rate) - (n - y) * rate
        squares = y * (1 - rate) ** 2 + (n - y) * rate**2
        variance += _variance(each.judged.n_units, each.judged.n_settled, total, squares)
    return Figure(rate, no_interval=TOO_SHORT, error=sqrt(variance) / size)


def _per_unit(figure: Figure, n: int) -> Figure:
    if figure.value is None or not n:
        return Figure(reason=figure.reason or NO_ANSWERS)
    low, high, error = (
        None if end is None else end / n for end in (figure.low, figure.high, figure.error)
    )
    return Figure(figure.value / n, low=low, high=high, error=error)


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def as_json(missed: Missed) -> dict[str, Any]:
    return asdict(missed)


def from_json(plain: Mapping[str, Any]) -> Missed:
    figures = ("missed", "plausible", "found")
    return Missed(
        **{
            **plain,
            **{name: Figure(**plain[name]) for name in figures},
            "drawn": _stratum_from_json(plain["drawn"]),
            "strata": tuple(map(_stratum_from_json, plain["strata"])),
            "runs": tuple(map(_run_from_json, plain["runs"])),
        }
    )


def _stratum_from_json(plain: Mapping[str, Any]) -> StratumFigure:
    judged, total = Judged(**plain["judged"]), Figure(**plain["total"])
    return StratumFigure(**{**plain, "judged": judged, "total": total})


def _run_from_json(plain: Mapping[str, Any]) -> RunFigure:
    figures = ("rate", "hajek", "of_all", "total")
    return RunFigure(**{**plain, **{name: Figure(**plain[name]) for name in figures}})
