"""The figures of a comparison as the rows of systems.csv, pairs.csv and automatic.csv. Plain
Python.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from exports.comparison.columns import AutomaticRow, PairRow, SystemRow
from exports.comparison.measures import RUN_MEASURES
from exports.primary_comparison.families import EXPLORATORY

Json = Mapping[str, Any]
SCALES = (
    "faithful",
    "appropriate",
    "both",
    "unknown_answerable",
    "unknown_unanswerable",
    "incoherent",
)
# Of a correlation over systems (stats.correlation).
NO_INTERVAL_OVER_RUNS = {
    "low": None,
    "high": None,
    "reason": "over systems none is given: it would cover too little",
}


def system_rows(result: Json) -> Iterator[SystemRow]:
    for setup in result["setups"]:
        for place, run in enumerate(setup["runs"]):
            for measure, figure in _figures(setup, place):
                yield SystemRow(
                    pool=setup["pool"],
                    setup=setup["setup"],
                    run=run["run"],
                    kind=run["kind"],
                    measure=measure,
                    value=figure["value"],
                    low=figure["interval"]["low"],
                    high=figure["interval"]["high"],
                    n_questions=figure["n_questions"],
                    n_values=figure["n_values"],
                    reason=figure["reason"] or "",
                    interval_reason=figure["interval"]["reason"] or "",
                    **_for_people(figure),
                )


def _for_people(figure: Json) -> dict[str, Any]:
    """The columns about people; empty of a figure that none judged."""
    interval = figure.get("people_interval") or {}
    return {
        "n_annotators": figure.get("n_annotators"),
        "people_low": interval.get("low"),
        "people_high": interval.get("high"),
        "people_interval_reason": interval.get("reason") or "",
        "share_of_people": figure.get("share_of_people"),
    }


def _figures(setup: Json, place: int) -> Iterator[tuple[str, Json]]:
    """The figures of the run at this place in the setup, all with the fields of a Figure."""
    for name in SCALES:
        yield name, setup["scales"][place][name]
    yield "supported", setup["relevance"]["faithful_to"][place]["share"]
    for policy, rates in setup["win_rates"].items():
        yield f"win_rate_{policy}", win_rate(rates["rates"][place])
    for model, fit in setup["bradley_terry"].items():
        for name in ("strength", "expected"):
            yield f"{name}_{model}", strength(fit, place, name)
    for name in RUN_MEASURES:
        yield name, setup["automatic"]["runs"][place][name]


def win_rate(rate: Json) -> dict[str, Any]:
    return {**rate, "n_values": rate["n_comparisons"]}


def strength(fit: Json, place: int, name: str) -> dict[str, Any]:
    """The strength of a run, or its expected win-rate; both rest on all comparisons."""
    found = fit["strengths"][place]
    return {
        "value": found[name],
        "reason": found["reason"],
        "interval": found["expected_interval" if name == "expected" else "interval"],
        "n_questions": fit["n_questions"],
        "n_values": fit["n_comparisons"],
    }


def pair_rows(result: Json) -> Iterator[PairRow]:
    for setup in result["setups"]:
        for measure, apart in setup["apart"].items():
            for pair in apart["pairs"]:
                yield PairRow(
                    pool=setup["pool"],
                    setup=setup["setup"],
                    measure=measure,
                    one=pair["one"],
                    other=pair["other"],
                    n_questions=pair["n_questions"],
                    difference=pair["difference"],
                    low=pair["interval"]["low"],
                    high=pair["interval"]["high"],
                    interval_reason=pair["interval"]["reason"] or "",
                    **_for_people(pair),
                    p=pair["p"],
                    p_reason=pair["p_reason"] or "",
                    p_of=pair.get("p_of", "these"),
                    p_these_people=pair.get("p_these_people", pair["p"]),
                    is_exact=pair["is_exact"],
                    p_people=pair.get("p_people"),
                    family=pair.get("family", EXPLORATORY),
                    p_holm=pair["p_holm"],
                    is_told_apart=pair["is_told_apart"],
                    detectable=pair["detectable"],
                    detectable_reason=pair["detectable_reason"] or "",
                )


def automatic_rows(result: Json) -> Iterator[AutomaticRow]:
    for setup in result["setups"]:
        for beside in setup["automatic"]["beside"]:
            for over, n in (("answers", "n_answers"), ("systems", "n_runs")):
                for each in beside[over]:
                    interval = each.get("interval", NO_INTERVAL_OVER_RUNS)
                    yield AutomaticRow(
                        pool=setup["pool"],
                        setup=setup["setup"],
                        over=over,
                        measure=beside["measure"],
                        scale=beside["scale"],
                        coefficient=each["coefficient"],
                        value=each["value"],
                        low=interval["low"],
                        high=interval["high"],
                        n=each[n],
                        reason=each["reason"] or "",
                        interval_reason=interval["reason"] or "",
                    )
