"""Sentences about the people that figures are for, and the part of the variance that they make."""

from collections.abc import Mapping, Sequence
from typing import Any

from stats.variance_components import LEAST_PEOPLE

Json = Mapping[str, Any]
TOO_FEW = "fewer than three judged, so nothing is known of other people"


def of_pairs(pairs: Sequence[Json]) -> str:
    """Whom the tests of pairs are about; empty if nothing has to be said of them."""
    if {pair["p_of"] for pair in pairs if pair["p"] is not None} == {"these"}:
        return f"For these people: {_why_not_others(pairs)}."
    shares = shares_in_words(pairs)
    return f"People make {shares} of the variance of these differences." if shares else ""


def _why_not_others(pairs: Sequence[Json]) -> str:
    tested = [pair for pair in pairs if pair["p"] is not None]
    if any((pair["n_annotators"] or 0) < LEAST_PEOPLE for pair in tested):
        return TOO_FEW
    reasons = sorted({pair["people_interval"]["reason"] for pair in tested})
    return f"of other people nothing can be said ({'; '.join(reasons)})"


def of_figures(figures: Mapping[str, Sequence[Json]]) -> str:
    """How much of the variance of each measure's figures people make, or whom they are for."""
    shares = {name: shares_in_words(of) for name, of in figures.items()}
    parts = [f"{words} of {name}" for name, words in shares.items() if words]
    if parts:
        return f"Of the variance of these figures people make {', '.join(parts)}."
    known = [each for of in figures.values() for each in of if each["value"] is not None]
    if known and all(
        "people_interval" in each and each["n_annotators"] < LEAST_PEOPLE for each in known
    ):
        return f"These intervals are for these people: {TOO_FEW}."
    return ""


def shares_in_words(figures: Sequence[Json]) -> str:
    """The parts of the variance that people make, from the least to the most: 12 to 64 %."""
    shares = [each.get("share_of_people") for each in figures]
    known = sorted(f"{100 * share:3.0f}" for share in shares if share is not None)
    if not known:
        return ""
    least, most = known[0].strip(), known[-1].strip()
    return f"{most} %" if least == most else f"{least} to {most} %"
