"""What stored figures are computed from, and in words what changed since."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

from pages.templatetags.pages import count
from pages.words import sentence

Kinds = Mapping[str, int]


@dataclass(frozen=True)
class Decisions:
    """Decisions on the work, of which there are only ever more.

    `n` changes with each of them. `by_thing` has for each batch or data set (`batch 12`) the numbers of
    its decisions by kind, a noun in the singular.
    """

    n: int = 0
    by_thing: Mapping[str, Kinds] = field(default_factory=dict)

    def __add__(self, other: "Decisions") -> "Decisions":
        return Decisions(self.n + other.n, {**self.by_thing, **other.by_thing})


NO_DECISIONS = Decisions()


def together(decisions: Iterable[Decisions]) -> Decisions:
    """Return the decisions on different things as one."""
    return reduce(Decisions.__add__, decisions, NO_DECISIONS)


@dataclass(frozen=True)
class Basis:
    """The data that figures are computed from. Figures of equal bases are equal.

    Counts by the name of the thing in the singular, and the batches, if others may be included
    later. `n_decisions` and `decisions` are those of Decisions: with them a change shows even where
    all counts are equal, as after a judgement was withdrawn and submitted again. Results of earlier
    versions of the program have no `decisions`.
    """

    counts: Mapping[str, int]
    batches: Sequence[str] = ()
    n_decisions: int = 0
    decisions: Mapping[str, Kinds] | None = None

    @classmethod
    def of(
        cls, counts: Kinds, batches: Sequence[str] = (), decisions: Decisions = NO_DECISIONS
    ) -> "Basis":
        """Return the basis of these counts, with what was decided on them."""
        return cls(counts, batches, decisions.n, decisions.by_thing)

    def __str__(self) -> str:
        found = " and ".join(count(n, thing) for thing, n in self.counts.items())
        n_batches = count(len(self.batches), "batch,batches")
        return f"{found} in {n_batches}" if self.batches else found

    def since(self, then: "Basis") -> str:
        """Return a sentence about what changed since `then`; empty if nothing did."""
        changes = [] if [*self.batches] == [*then.batches] else ["batches were opened or closed"]
        changes += self._changed_counts(then)
        recorded = self._recorded(then)
        if not changes and not recorded and self.n_decisions != then.n_decisions:
            changes = ["something was decided, excluded, taken back or renamed"]
        parts = [" and ".join(changes)] if changes else []
        parts += [recorded] if recorded else []
        return sentence(f"since then {', and '.join(parts)}") if parts else ""

    def _changed_counts(self, then: "Basis") -> Iterator[str]:
        for thing, n in self.counts.items():
            n_then = then.counts[thing]
            if n > n_then:
                yield f"{count(n - n_then, thing)} came in"
            elif n < n_then:
                yield f"only {n:,} of {count(n_then, thing)} count now"

    def _recorded(self, then: "Basis") -> str:
        """Return in words which decisions were recorded; empty if none, or none that can be named."""
        new = self._new_decisions(then)
        if not new:
            return ""
        *others, last = [count(n, kind) for kind, n in new.items()]
        listed = f"{', '.join(others)} and {last}" if others else last
        return f"{listed} {'was' if sum(new.values()) == 1 else 'were'} recorded"

    def _new_decisions(self, then: "Basis") -> dict[str, int]:
        """Return the numbers of decisions since `then` on what both rest on, by kind.

        Without those of a kind that is one of the counts.
        """
        new: dict[str, int] = {}
        earlier = then.decisions or {}
        for thing, kinds in (self.decisions or {}).items():
            before = earlier.get(thing, kinds)  # on a thing that is new, none are
            for kind, n in kinds.items():
                if kind not in self.counts and n > before.get(kind, 0):
                    new[kind] = new.get(kind, 0) + n - before.get(kind, 0)
        return dict(sorted(new.items()))
