"""The words of the page of results. Imports no Django."""

from collections.abc import Mapping, Sequence
from typing import Any

# The note beside figures that rest on an unequal draw (exports.results.figures.draw_kind).
UNEQUAL_DRAW_NOTE = (
    "Sampling probabilities were unequal, so differences and unweighted rates are of the sampled questions"
    " and do not generalise to the full set; weighted rates do."
)

# Measure -> its name in a heading, and what its rate is a share of.
MEASURES = {
    "plausible": ("Plausible", "of the settled answers"),
    "faithful": ("Faithful", "of the plausible answers whose faithfulness is settled"),
    "gold": (
        "Gold",
        "plausible of the settled answers, times faithful of the plausible ones whose faithfulness is settled",
    ),
}
# Fate of a drawn answer -> its colour in the picture.
FATES = {
    "gold": "bar-gold",
    "silver": "bar-silver",
    "plausible, not accepted": "bar-plausible",
    "implausible or malformed": "bar-rejected",
    "not settled": "bar-open",
}
NOT_SETTLED = ("disputed", "excluded", "too_few_judgements", "skipped_by_all", "unjudged")


def unequal_draw_note(runs: Mapping[str, Any]) -> str:
    """The note for figures of an unequal draw, else empty."""
    return UNEQUAL_DRAW_NOTE if runs["drawn"] == "unequally" else ""


def fate_counts(row: Mapping[str, Any]) -> list[tuple[str, int]]:
    """The numbers of answers by fate in a row of per_run; their sum is that of the drawn answers."""
    counts = (
        row["gold"],
        row["silver"],
        row["plausible"] - row["gold"] - row["silver"],
        row["implausible"] + row["malformed"],
        sum(row[name] for name in NOT_SETTLED),
    )
    return list(zip(FATES, counts, strict=True))


def group_sentences(of_measure: Mapping[str, Any]) -> list[str]:
    """A sentence for each group of runs that are not distinguishable; none with fewer than two
    rates.
    """
    if len([rate for rate in of_measure["rates"] if rate["value"] is not None]) < 2:
        return []
    return [_sentence(group) for group in of_measure["groups"]]


def _sentence(group: Sequence[str]) -> str:
    if len(group) == 1:
        return f"{group[0]} differs significantly from its neighbours."
    *most, last = group
    return f"{', '.join(most)} and {last} do not differ significantly."
