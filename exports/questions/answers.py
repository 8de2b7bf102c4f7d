"""The distinct answers to a question, by how they ended. Without Django."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.schemes import ACCEPTANCE, GROUNDING
from exports.rows.earlier_answers import stands
from exports.rows.tiers import tier

NOT_ASKED = "not_asked"


@dataclass
class KnownAnswer:
    """A distinct text: who gave it, where people are asked about it, and how it ended under each scheme.

    `plausible` and `faithful` are decisions (exports.rows.outcomes), None where no closed batch asks. `earlier` is the
    tier that it has in the release which the version has read, or "".
    """

    text: str
    given: list[Any] = field(default_factory=list)  # answers, with their runs
    items: list[Any] = field(default_factory=list)
    plausible: Any = None
    faithful: Any = None
    earlier: str = ""

    @property
    def tier(self) -> str:
        """Return its tier by what people decided here or, where that leaves it, in the earlier release."""
        is_decided = self.plausible is not None and self.plausible.outcome in ACCEPTANCE.labels
        here = self._tier_here if is_decided else None
        if self.earlier and stands(self.earlier, here):
            return self.earlier
        return here or ""

    @property
    def _tier_here(self) -> str:
        return tier(self.plausible.outcome, self.faithful.outcome if self.faithful else NOT_ASKED)

    @property
    def endings(self) -> list[tuple[str, str, str, bool]]:
        """Return under each scheme that asked how it ended, in which batch, and whether an adjudicator decided it."""
        named = (("plausibility", self.plausible), ("faithfulness", self.faithful))
        return [
            (name, each.outcome.replace("_", " "), each.batch, each.source == "adjudication")
            for name, each in named
            if each
        ]

    @property
    def group(self) -> str:
        """The key of GROUPS that it belongs to."""
        if self.tier:
            return "accepted"
        last = self.faithful or self.plausible
        if last and last.outcome == "disputed":
            return "disputed"
        if last and last.outcome in (*ACCEPTANCE.labels, *GROUNDING.labels):
            return "rejected"
        if not self.text:
            return "empty"
        return "open" if self.items else "not asked"


# Group -> its heading, and what it has.
GROUPS = {
    "accepted": ("Accepted", "What a release made now has as gold or silver."),
    "disputed": ("In dispute", "People disagreed, and nobody has settled it."),
    "rejected": ("Rejected", "A verdict that does not accept it: not plausible, or not faithful."),
    "open": (
        "Asked about, without a verdict",
        "Set aside, or in a batch that is not closed, not settled, or rehearsed.",
    ),
    "not asked": (
        "Not asked about",
        "No batch shows it: a rule left it out, or no pool was drawn since.",
    ),
    "empty": ("Empty answers", "Runs that gave no text."),
}


def grouped(answers: Sequence[KnownAnswer]) -> list[tuple[str, str, list[KnownAnswer]]]:
    """Return heading, description and answers of each group that has some, gold before silver, then by text."""
    by_group: dict[str, list[KnownAnswer]] = {name: [] for name in GROUPS}
    for each in sorted(answers, key=lambda answer: (answer.tier, answer.text)):
        by_group[each.group].append(each)
    return [(*GROUPS[name], found) for name, found in by_group.items() if found]


def score_rows(
    given: Sequence[Any], scores: Sequence[tuple[Any, Mapping[int, float]]]
) -> list[tuple[Any, list[float | None]]]:
    """Return each answer with its values by the scorers, None where it has none; without answers that have no value."""
    rows = [(answer, [values.get(answer.pk) for _, values in scores]) for answer in given]
    return [(answer, values) for answer, values in rows if any(v is not None for v in values)]
