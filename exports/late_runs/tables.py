"""The table of the page of late runs, from its job's result. Imports no Django."""

from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any

from sampling.pools.late_answers import Standing

Columns = Mapping[str, Callable[[Any], Any]]
# Standing -> its words on the page.
WORDS = {
    Standing.EMPTY: "Empty",
    Standing.REFERENCE: "Reference",
    Standing.EXACT: "Exact",
    Standing.SAME_BAG: "Same bag",
    Standing.NEAR: "Near",
    Standing.NEW: "New",
    Standing.TURN_NOT_ASKED: "Turn not asked",
}


def _standing(name: str) -> Callable[[Any], Any]:
    return lambda row: row["standings"][name]


RUN: Columns = {
    **{name: itemgetter(name) for name in ("pool", "run", "team", "kind", "n_answers")},
    **{each.value: _standing(each.value) for each in Standing},
    **{
        name: itemgetter(name)
        for name in (
            *("n_asked", "coverage", "n_accepted", "n_rejected", "n_open"),
            *("lower", "upper", "reason", "n_topped_up", "n_topped_up_settled"),
            *("n_to_ask", "n_without_score"),
        )
    },
    "top_ups": lambda row: "|".join(row["top_ups"]),
    "estimate": lambda row: row["estimate"]["value"],
    "estimate_low": lambda row: row["estimate"]["interval"]["low"],
    "estimate_high": lambda row: row["estimate"]["interval"]["high"],
    "estimate_note": lambda row: row["estimate"]["reason"] or row["estimate"]["interval"]["reason"],
}
