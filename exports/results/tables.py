"""The tables of the page of results, from what its job kept."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from exports.results.wording import MEASURES

Told = Mapping[str, Any]
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
OF_RATE = ("n_questions", "n_accepted", "value", "low", "high", "reason")
OF_PAIR = (
    "one",
    "other",
    "n_questions",
    "n_only_one",
    "n_only_other",
    "difference",
    "low",
    "high",
    "interval_reason",
    "p",
    "p_reason",
    "p_holm",
    "is_told_apart",
    "detectable",
    "detectable_reason",
)


def by_run(told: Told) -> list[tuple[Told, list[Told]]]:
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


def _runs(told: Told) -> Iterator[list[Any]]:
    yield [
        "run",
        "kind",
        *COUNTS,
        *(
            f"{name}_{column}"
            for name in MEASURES
            for column in (*OF_RATE, "bound_low", "bound_high")
        ),
    ]
    for counts, rates in by_run(told):
        cells: list[Any] = []
        for rate in rates:
            interval = rate["interval"]
            cells += [rate["n_questions"], rate["n_accepted"], rate["value"]]
            cells += [interval["low"], interval["high"], rate["reason"] or interval["reason"]]
            cells += rate["bounds"] or (None, None)
        yield [counts["run"], counts["kind"], *(counts[name] for name in COUNTS), *cells]


def _pairs(told: Told) -> Iterator[list[Any]]:
    yield ["measure", *OF_PAIR]
    for name in MEASURES:
        for pair in told["runs"]["measures"][name]["pairs"]:
            interval = pair["interval"]
            flat = pair | {key: interval[key] for key in ("low", "high")}
            flat["interval_reason"] = interval["reason"]
            yield [name, *(flat[key] for key in OF_PAIR)]


TABLES: dict[str, Callable[[Told], Iterator[list[Any]]]] = {"runs": _runs, "pairs": _pairs}
