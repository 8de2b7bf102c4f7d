"""What a new release changes against the one before it, and how that is said. Without Django."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Change:
    """An accepted answer whose tier changes; "" is not accepted. `why` says what was decided or withdrawn."""

    turn: str
    answer: str
    before: str
    after: str
    why: str

    @property
    def kind(self) -> str:
        if not self.after:
            return "gone"
        return "moved" if self.before else "added"


# Kind of change -> how a count of them reads, and the heading of their list.
KINDS = {
    "gone": ("no longer accepted", "No longer accepted"),
    "added": ("newly accepted", "Newly accepted"),
    "moved": ("in the other tier", "Moved between gold and silver"),
}


@dataclass(frozen=True)
class Changes:
    """The changes against the release of the number `since`, by turn and answer.

    `since` is None for the first release, which has no changes. `gained` is the gain of each tier,
    `accepted` the number of answers that each then has.
    """

    since: int | None
    changes: Sequence[Change]
    gained: Mapping[str, int]
    accepted: Mapping[str, int]

    def of_kind(self, kind: str) -> list[Change]:
        return [each for each in self.changes if each.kind == kind]


def gained_sentence(found: Changes) -> str:
    """Return how many accepted answers of each tier a release now has more or fewer than the last."""
    counts = " and ".join(f"{n} {tier}" for tier, n in found.accepted.items())
    if found.since is None:
        return f"This is the first release, with {counts} answers."
    if not found.changes:
        return f"Nothing changes: the same gold and silver answers as in release {found.since}."
    gained = [
        f"{abs(n)} {tier} {'answer' if abs(n) == 1 else 'answers'} {'more' if n > 0 else 'fewer'}"
        if n
        else f"as many {tier} answers"
        for tier, n in found.gained.items()
    ]
    numbers = {words: len(found.of_kind(kind)) for kind, (words, _) in KINDS.items()}
    listed = ", ".join(f"{n} {words}" for words, n in numbers.items() if n)
    return f"{' and '.join(gained)} than in release {found.since}: {listed}."
