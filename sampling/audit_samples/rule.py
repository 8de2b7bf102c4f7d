"""The rule of an audit sample: a random draw of what a pool left out.

It lets one estimate what the pool's draw missed. Units are distinct texts of a turn. Each that was
left out for one of REASONS belongs to the stratum of its reason (equal texts of a turn have one
fate: sampling.pools.selection). Of a stratum's N units the n with the smallest lots are drawn, or
all if there are at most n: a simple random sample, in which each has the inclusion probability n /
N. A lot is the SHA-256 of seed, turn and text, so the draw depends neither on the order of rows nor
on the other strata, and a larger sample with the same seed contains the smaller one.

Empty answers, turns without a reference, answers without a score, and answers with the words of the
reference or the question are in no stratum and never drawn, because the filter does not decide
about them.
"""

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sampling.pools.selection import State
from stats.lots import lot

REASONS = (State.BELOW_THRESHOLD, State.TOO_FEW_IN_TURN, State.REPRESENTED, State.CAPPED)
# Where none of so many is plausible, at most about 7 % of its stratum are (Clopper-Pearson, 97.5 %).
DEFAULT_SIZE = 50
MOST = 10_000


class AuditError(ValueError):
    """The rule of the sample is invalid."""


@dataclass(frozen=True, slots=True)
class AuditRule:
    """The sample size of each stratum. Equal rules on equal pools draw equal samples."""

    pool: str  # the name of the pool that is audited
    sizes: Mapping[State, int]
    seed: int = 1

    def __post_init__(self) -> None:
        strange = sorted(self.sizes.keys() - set(REASONS))
        if strange:
            raise AuditError(f"there is no stratum {', '.join(strange)}")
        for reason, n in self.sizes.items():
            if not 0 <= n <= MOST:
                raise AuditError(f"{reason.value} is {n}, but has to be 0 to {MOST:,}")
        if not any(self.sizes.values()):
            raise AuditError("a sample of none says nothing: ask for some of a stratum")

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        sizes = {reason.value: self.sizes.get(reason, 0) for reason in REASONS}
        return {"audit_of": self.pool, "sizes": sizes, "seed": self.seed}


class Unit(NamedTuple):
    """A distinct text of a turn that was left out; `turn` is the turn's id in files."""

    turn: str
    text_sha256: str
    reason: State


@dataclass(frozen=True, slots=True)
class Stratum:
    """A stratum of `n_units` units, with the drawn ones in order of turn and hash."""

    n_units: int
    drawn: tuple[Unit, ...]

    @property
    def inclusion_probability(self) -> float:
        """Return the probability of each unit of the stratum; 0 if the rule draws none."""
        return len(self.drawn) / self.n_units if self.n_units else 0.0


def sample(units: Iterable[Unit], rule: AuditRule) -> dict[State, Stratum]:
    """Return all strata, also empty ones.

    `units` has each unit once; only drawn units are kept in memory.
    """
    n_units = dict.fromkeys(REASONS, 0)
    # The lots negated: a heap gives up its smallest, and here the largest lot has to go.
    drawn: dict[State, list[tuple[int, Unit]]] = {reason: [] for reason in REASONS}
    for unit in units:
        n_units[unit.reason] += 1
        best, size = drawn[unit.reason], rule.sizes.get(unit.reason, 0)
        if not size:
            continue
        entry = (-lot(rule.seed, unit.turn, unit.text_sha256, separator=" "), unit)
        if len(best) < size:
            heapq.heappush(best, entry)
        else:
            heapq.heappushpop(best, entry)
    return {
        reason: Stratum(n_units[reason], tuple(sorted(unit for _, unit in drawn[reason])))
        for reason in REASONS
    }
