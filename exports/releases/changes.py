"""What a new release changes against the one before it, and how that is said. Without Django."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pages.words import sentence


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

    `since` is None where there is none to compare with. `gained` is the gain of each tier, `accepted`
    the number of answers that each then has, `withdrawn` the numbers of later releases that are withdrawn.
    """

    since: int | None
    changes: Sequence[Change]
    gained: Mapping[str, int]
    accepted: Mapping[str, int]
    withdrawn: Sequence[int] = ()

    def of_kind(self, kind: str) -> list[Change]:
        return [each for each in self.changes if each.kind == kind]


def gained_sentence(found: Changes) -> str:
    """Return how many accepted answers of each tier a release now has more or fewer than the last.

    A sentence of its own names later releases that are withdrawn.
    """
    gained = _gained(found)
    if not found.withdrawn:
        return gained
    numbers = ", ".join(map(str, found.withdrawn))
    if len(found.withdrawn) == 1:
        return f"{gained} Release {numbers} is withdrawn, so this is not compared with it."
    return f"{gained} Releases {numbers} are withdrawn, so this is not compared with them."


def _gained(found: Changes) -> str:
    counts = " and ".join(f"{n} {tier}" for tier, n in found.accepted.items())
    if found.since is None and found.withdrawn:
        return f"No earlier release stands. This one has {counts} answers."
    if found.since is None:
        return f"This is the first release, with {counts} answers."
    if not found.changes:
        return f"Nothing changes: the same gold and silver answers as in release {found.since}."
    numbers = {words: len(found.of_kind(kind)) for kind, (words, _) in KINDS.items()}
    listed = ", ".join(f"{n} {words}" for words, n in numbers.items() if n)
    return sentence(f"{_compared(found.gained, found.since)}: {listed}")


def _compared(gained: Mapping[str, int], since: int) -> str:
    """Return how many answers of each tier there are against the release `since`."""
    changed = [
        f"{abs(n)} {tier} {'answer' if abs(n) == 1 else 'answers'} {'more' if n > 0 else 'fewer'}"
        for tier, n in gained.items()
        if n
    ]
    same = " and ".join(f"as many {tier}" for tier, n in gained.items() if not n)
    if not changed:
        return f"{same} answers as in release {since}"
    than_before = f"{' and '.join(changed)} than in release {since}"
    return f"{same} answers as before, and {than_before}" if same else than_before
