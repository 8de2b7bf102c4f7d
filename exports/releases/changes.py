"""What a new release changes against the one before it, and how that is said. Without Django."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Change:
    """An accepted answer whose tier changes; "" is not accepted. `why` is what was decided of it now."""

    turn: str
    answer: str
    before: str
    after: str
    why: str


@dataclass(frozen=True)
class Changes:
    """The changes against the release of the number `since`, by turn and answer, and the gain of each tier."""

    since: int
    changes: Sequence[Change]
    gained: Mapping[str, int]


def gained_sentence(found: Changes) -> str:
    """Return how many accepted answers of each tier a release now has more or fewer than the last."""
    if not found.changes:
        return f"The same gold and silver answers as in release {found.since}."
    gained = [
        f"{abs(n)} {tier} {'answer' if abs(n) == 1 else 'answers'} {'more' if n > 0 else 'fewer'}"
        if n
        else f"as many {tier} answers"
        for tier, n in found.gained.items()
    ]
    counts = {
        "no longer accepted": sum(not each.after for each in found.changes),
        "newly accepted": sum(not each.before for each in found.changes),
        "in the other tier": sum(bool(each.before and each.after) for each in found.changes),
    }
    said = ", ".join(f"{n} {what}" for what, n in counts.items() if n)
    return f"{' and '.join(gained)} than in release {found.since}: {said}."
