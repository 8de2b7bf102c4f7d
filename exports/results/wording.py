"""The results of runs as the page tells them. Plain Python."""

from collections.abc import Mapping, Sequence
from typing import Any

# Said beside figures where what was asked about was drawn "unequally" (exports.results.figures).
UNEQUALLY = (
    "Over the questions drawn, which had unequal chances to be, and not weighed by them:"
    " no estimate for all questions."
)

# What is shown of each measure: its name in a heading, what its rate is a share of.
MEASURES = {
    "plausible": ("Plausible", "of the settled answers"),
    "faithful": ("Faithful", "of the plausible answers whose faithfulness is settled"),
    "gold": (
        "Gold",
        "of the answers that ended: as implausible, malformed, or plausible with a settled faithfulness",
    ),
}
# What became of a drawn answer -> the columns of per_run that add up to it, and the colour in the picture.
FATES = {
    "gold": "bar-gold",
    "plausible, not gold": "bar-1",
    "implausible or malformed": "bar-2",
    "not settled": "bar-3",
}
NOT_SETTLED = ("disputed", "excluded", "too_few_judgements", "skipped_by_all", "unjudged")


def unequally(runs: Mapping[str, Any]) -> str:
    """The sentence where it holds; of figures that an earlier version kept nothing is known."""
    return UNEQUALLY if runs.get("drawn") == "unequally" else ""


def fate_counts(row: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Of a row of per_run; they add up to what was drawn."""
    counts = (
        row["gold"],
        row["plausible"] - row["gold"],
        row["implausible"] + row["malformed"],
        sum(row[name] for name in NOT_SETTLED),
    )
    return list(zip(FATES, counts, strict=True))


def told_apart(of_measure: Mapping[str, Any]) -> list[str]:
    """A sentence for each stretch of neighbours; none where there are no two runs."""
    if len([rate for rate in of_measure["rates"] if rate["value"] is not None]) < 2:
        return []
    return [_sentence(group) for group in of_measure["groups"]]


def _sentence(group: Sequence[str]) -> str:
    if len(group) == 1:
        return f"{group[0]} is told apart from its neighbours."
    *most, last = group
    return f"{', '.join(most)} and {last} cannot be told apart."
