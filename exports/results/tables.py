"""The tables of the page of results, from what its job kept."""

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from exports.results.wording import MEASURES

Told = Mapping[str, Any]
Columns = Mapping[str, Callable[[Any], object]]
RunRow = tuple[Told, list[Told]]  # a run's counts, and its rate by each measure
COUNTS = (
    "n_answers",
    "drawn",
    "plausible",
    "implausible",
    "malformed",
    "disputed",
    "excluded",
    "too_few_judgements",
    "skipped_by_all",
    "unjudged",
    "faithful",
    "unfaithful",
    "irrelevant",
    "gold",
    "silver",
)


def by_run(told: Told) -> list[RunRow]:
    """Each run's counts, with its rate by each measure and, under `bounds`, what the unsettled may change."""
    rates = [told["runs"]["measures"][name]["rates"] for name in MEASURES]
    return [
        (counts, [_bounded(rate, counts, name) for name, rate in zip(MEASURES, of, strict=True)])
        for counts, *of in zip(told["per_run"], *rates, strict=True)
    ]


def _bounded(rate: Told, counts: Told, name: str) -> Told:
    found = bounds(rate, counts, name)
    return {**rate, "bounds": None if None in found else found}


def bounds(rate: Told, counts: Told, name: str) -> tuple[float | None, float | None]:
    """If none or all of what is not settled were accepted; those of gold are of all drawn answers."""
    if name != "gold":
        return counts.get(f"{name}_rate_low"), counts.get(f"{name}_rate_high")
    drawn, accepted = counts["drawn"], rate["n_accepted"]
    if not drawn:
        return None, None
    return accepted / drawn, (accepted + drawn - rate["n_questions"]) / drawn


def with_excluded(runs: Told, measure: str) -> list[tuple[Told, Told]]:
    """The rates of the runs that lost an answer to an exclusion: left out, and taken in as judged."""
    again = runs["with_excluded"]["rates"].get(measure, [])
    alone = runs["measures"][measure]["rates"]
    return [(one, other) for one, other in zip(alone, again, strict=False) if other["n_excluded"]]


def _pairs(told: Told) -> list[Told]:
    return [
        {**pair, "measure": name}
        for name in MEASURES
        for pair in told["runs"]["measures"][name]["pairs"]
    ]


def _count(name: str) -> Callable[[RunRow], object]:
    return lambda row: row[0][name]


def _rate(place: int, value: Callable[[Told], object]) -> Callable[[RunRow], object]:
    return lambda row: value(row[1][place])


RATE: Columns = {
    "n_questions": lambda rate: rate["n_questions"],
    "n_accepted": lambda rate: rate["n_accepted"],
    "value": lambda rate: rate["value"],
    "low": lambda rate: rate["interval"]["low"],
    "high": lambda rate: rate["interval"]["high"],
    "reason": lambda rate: rate["reason"] or rate["interval"]["reason"],
    "bound_low": lambda rate: rate["bounds"] and rate["bounds"][0],
    "bound_high": lambda rate: rate["bounds"] and rate["bounds"][1],
}
RUN: Columns = {
    **{name: _count(name) for name in ("run", "kind", *COUNTS)},
    **{
        f"{name}_{column}": _rate(place, value)
        for place, name in enumerate(MEASURES)
        for column, value in RATE.items()
    },
}
PAIR: Columns = {
    "measure": itemgetter("measure"),
    "one": itemgetter("one"),
    "other": itemgetter("other"),
    "n_questions": itemgetter("n_questions"),
    "n_only_one": itemgetter("n_only_one"),
    "n_only_other": itemgetter("n_only_other"),
    "difference": itemgetter("difference"),
    "low": lambda pair: pair["interval"]["low"],
    "high": lambda pair: pair["interval"]["high"],
    "interval_reason": lambda pair: pair["interval"]["reason"],
    "p": itemgetter("p"),
    "p_reason": itemgetter("p_reason"),
    "p_holm": itemgetter("p_holm"),
    "is_told_apart": itemgetter("is_told_apart"),
    "detectable": itemgetter("detectable"),
    "detectable_reason": itemgetter("detectable_reason"),
}
# Table -> its columns, and its rows in what the job kept.
TABLES: dict[str, tuple[Columns, Callable[[Told], Sequence[Any]]]] = {
    "runs": (RUN, by_run),
    "pairs": (PAIR, _pairs),
}
