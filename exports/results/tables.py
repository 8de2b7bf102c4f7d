"""The tables of the page of results, from its job's result."""

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from exports.results.wording import MEASURES
from exports.rows.columns import EXTRACTED

Json = Mapping[str, Any]
Columns = Mapping[str, Callable[[Any], Any]]
RunRates = tuple[Json, list[Json]]  # a run's counts, and its rate by each measure
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


def run_rates(result: Json) -> list[RunRates]:
    """The counts of each run that competes, and its rate by each measure."""
    competing = [row for row in result["per_run"] if row["kind"] != EXTRACTED]
    rates = [result["runs"]["measures"][name]["rates"] for name in MEASURES]
    return [(counts, of) for counts, *of in zip(competing, *rates, strict=True)]


def rates_with_excluded(runs: Json, measure: str) -> list[tuple[Json, Json]]:
    """The rates of runs with excluded answers: without these answers, and as if none were excluded."""
    included = runs["with_excluded"]["rates"].get(measure, [])
    rates = runs["measures"][measure]["rates"]
    return [
        (one, other) for one, other in zip(rates, included, strict=False) if other["n_excluded"]
    ]


def _pairs(result: Json) -> list[Json]:
    return [
        {**pair, "measure": name}
        for name in MEASURES
        for pair in result["runs"]["measures"][name]["pairs"]
    ]


def _count(name: str) -> Callable[[RunRates], object]:
    return lambda row: row[0][name]


def _rate(place: int, value: Callable[[Json], object]) -> Callable[[RunRates], object]:
    return lambda row: value(row[1][place])


def _weighted(rate: Json) -> Json:
    """The weighted rate; empty where questions were drawn equally."""
    found: Json = rate.get("weighted") or {}
    return found


BOUNDS: Columns = {
    "bound_low": lambda figure: figure["bounds"] and figure["bounds"][0],
    "bound_high": lambda figure: figure["bounds"] and figure["bounds"][1],
}
PEOPLE: Columns = {
    "n_annotators": lambda figure: figure["n_annotators"],
    "people_low": lambda figure: figure["people_interval"]["low"],
    "people_high": lambda figure: figure["people_interval"]["high"],
    "people_interval_reason": lambda figure: figure["people_interval"]["reason"],
    "share_of_people": lambda figure: figure["share_of_people"],
}
RATE: Columns = {
    "n_questions": lambda rate: rate["n_questions"],
    "n_conversations": lambda rate: rate["n_conversations"],
    "n_accepted": lambda rate: rate["n_accepted"],
    "value": lambda rate: rate["value"],
    "low": lambda rate: rate["interval"]["low"],
    "high": lambda rate: rate["interval"]["high"],
    "reason": lambda rate: rate["reason"] or rate["interval"]["reason"],
    "n_not_settled": lambda rate: rate["n_not_settled"],
    **BOUNDS,
    **PEOPLE,
    "weighted": lambda rate: _weighted(rate).get("value"),
    "weighted_low": lambda rate: _weighted(rate).get("interval", {}).get("low"),
    "weighted_high": lambda rate: _weighted(rate).get("interval", {}).get("high"),
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
    "n_conversations": itemgetter("n_conversations"),
    "n_only_one": itemgetter("n_only_one"),
    "n_only_other": itemgetter("n_only_other"),
    "difference": itemgetter("difference"),
    "low": lambda pair: pair["interval"]["low"],
    "high": lambda pair: pair["interval"]["high"],
    "interval_reason": lambda pair: pair["interval"]["reason"],
    "n_not_settled": itemgetter("n_not_settled"),
    **BOUNDS,
    **PEOPLE,
    "p": itemgetter("p"),
    "p_reason": itemgetter("p_reason"),
    "p_of": lambda pair: pair.get("p_of"),
    "p_these_people": lambda pair: pair.get("p_these_people"),
    "p_people": lambda pair: pair.get("p_people"),
    "p_holm": itemgetter("p_holm"),
    "is_told_apart": itemgetter("is_told_apart"),
    "detectable": itemgetter("detectable"),
    "detectable_reason": itemgetter("detectable_reason"),
}
# Table -> its columns, and its rows in the job's result.
TABLES: dict[str, tuple[Columns, Callable[[Json], Sequence[Any]]]] = {
    "runs": (RUN, run_rates),
    "pairs": (PAIR, _pairs),
}
