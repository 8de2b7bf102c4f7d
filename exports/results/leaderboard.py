"""The runs in the order of a rate, with the letters of those that do not differ. Imports no Django."""

from collections.abc import Mapping, Sequence
from typing import Any

from exports.results.tables import RunRates
from exports.results.wording import MEASURES
from stats.compact_letters import letters

Json = Mapping[str, Any]
Row = dict[str, Any]


def rows(run_rates: Sequence[RunRates], of_measure: Json, measure: str) -> list[Row]:
    """A row for each run, the highest rate by the measure first, runs without one last by name.

    `rank` is None without a rate; equal rates have equal ranks. `letters` are empty without a rate,
    and everywhere if there are fewer than two rates, too many letters, or pairs that are not tested.
    """
    place = list(MEASURES).index(measure)
    found = [_row(counts, rates, rates[place]) for counts, rates in run_rates]
    found.sort(key=lambda row: (row["value"] is None, -(row["value"] or 0.0), row["run"]))
    by_run = {} if of_measure["n_open"] else _letters(found, of_measure["pairs"])
    values = [row["value"] for row in found]
    for row in found:
        row["rank"] = None if row["value"] is None else values.index(row["value"]) + 1
        row["letters"] = by_run.get(row["run"], "")
    return found


def _row(counts: Json, rates: Sequence[Json], main: Json) -> Row:
    by_measure = dict(zip(MEASURES, (rate["value"] for rate in rates), strict=True))
    return {
        "run": counts["run"],
        "counts": counts,
        "rates": rates,
        "rate": main,
        "value": main["value"],
        "drawn": counts["drawn"],
        **by_measure,
    }


def _letters(ordered: Sequence[Row], pairs: Sequence[Json]) -> Mapping[str, str]:
    known = [row["run"] for row in ordered if row["value"] is not None]
    if len(known) < 2:
        return {}
    differ = [(pair["one"], pair["other"]) for pair in pairs if pair["is_told_apart"]]
    return letters(known, differ) or {}
