"""The tables of the page of teams left out, from its job's result. Imports no Django."""

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any

Json = Mapping[str, Any]
Columns = Mapping[str, Callable[[Any], Any]]
MEASURES = {"em": "EM", "f1": "F1"}


def _estimate(name: str) -> Columns:
    return {
        name: lambda row: row[name]["value"],
        f"{name}_low": lambda row: row[name]["interval"]["low"],
        f"{name}_high": lambda row: row[name]["interval"]["high"],
        f"{name}_note": lambda row: row[name]["reason"] or row[name]["interval"]["reason"],
    }


def _field(name: str) -> Columns:
    return {name: itemgetter(name)}


RUN: Columns = {
    **_field("measure"),
    **_field("run"),
    **_field("team"),
    **_field("full"),
    **_field("left_out"),
    **_estimate("bias"),
    **_field("n_accepted"),
    **_field("n_lost"),
    **_estimate("unique_share"),
    **_field("place"),
    **_field("place_alone"),
    **_estimate("change"),
    **_field("place_left_out"),
    **_field("is_late"),
}
RANKING: Columns = {
    **_field("measure"),
    **_field("n_questions"),
    **_field("n_clusters"),
    **_estimate("kendall_tau_b"),
    **_estimate("tau_ap"),
    **_field("greatest_fall"),
    "fallen": lambda row: "|".join(row["fallen"]),
    **_field("mean_bias"),
    **_field("largest_bias"),
}


def runs(result: Json) -> list[Json]:
    return [
        {**run, "measure": measure}
        for measure, found in result["measures"].items()
        for run in found["runs"]
    ]


def rankings(result: Json) -> list[Json]:
    return [{**found, "measure": measure} for measure, found in result["measures"].items()]


# Table -> its columns, and its rows in the job's result.
TABLES: dict[str, tuple[Columns, Callable[[Json], Sequence[Json]]]] = {
    "runs": (RUN, runs),
    "rankings": (RANKING, rankings),
}
