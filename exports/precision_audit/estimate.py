"""The share of the accepted answers that an expert accepts too, by a precision audit. Imports no Django.

The population is the distinct answers that are accepted when the audit is drawn, each tier by
itself. Of the N answers of a tier the n with the smallest lots are drawn, or all if N ≤ n: a simple
random sample. A lot is the SHA-256 of seed and answer id, so that the order of rows does not
matter, and a larger sample with the same seed contains the smaller one. The order of judging is
random too, so that the m answers judged so far are a random sample.

An answer holds if the expert finds it plausible and, if it is gold, also faithful. If y of the m
judged answers hold, the share of the tier is y / m. Its interval is exact for a finite population:
the limits of `stats.hypergeometric` for the number of the N that hold, divided by N. The share of
all tiers is Σ N·y/m / ΣN, weighted by their numbers of accepted answers. Its interval combines the
tiers' exact limits as `stats.stratified_estimate` does (Zou, Huang & Zhang 2009). Answers that are
not judged are taken as missing at random.

The share is about the verdicts at the time of the draw. An answer whose verdict has changed since
stays in the sample and is listed.

The share of a tier is None without a judged answer, and so is that of all tiers while there is such
a tier that is not empty.

Example: 90 gold and 10 silver answers, 5 judged of each, of which all gold and 3 silver ones hold.
The share is (90·1 + 10·.6) / 100 = .96, not 8/10.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Protocol

from annotation.schemes import ACCEPTANCE, GROUNDING
from exports.rows.derived_columns import PrecisionRow
from exports.rows.tiers import GOLD, SILVER, TIERS
from stats.lots import lot
from stats.stratified_estimate import Figure, Judged, Stratum, estimate

Json = dict[str, object]
# If all of so many hold, about 93 % or more of a large tier hold, by the lower limit.
DEFAULT_SIZE = 50
MAX_SIZE = 10_000
LARGEST_SEED = 2**63  # the database stores 64 bits
NO_ACCEPTED = "there was no accepted answer of this tier"
NOT_JUDGED = "nothing is judged yet of: "


class PrecisionError(Exception):
    """The audit cannot be drawn, or the answer not be judged; the message says why."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share with 95 % limits. `value` is None with a `reason`."""

    value: float | None
    reason: str | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Tier:
    tier: str
    n_accepted: int  # the size of the population
    n_drawn: int
    n_judged: int
    n_hold: int
    share: Share


class Audited(Protocol):
    """What the shares of an audit are made of, of each answer that it drew."""

    @property
    def tier(self) -> str: ...
    @property
    def n_gold(self) -> int: ...
    @property
    def n_silver(self) -> int: ...
    @property
    def holds(self) -> bool | None: ...


def draw(tiers: Mapping[str, str], sizes: Mapping[str, int], seed: int) -> dict[str, list[str]]:
    """Draw `sizes` of each tier from `tiers` {answer id: tier}: their ids in the order of their
    lots.

    Raises PrecisionError if nothing is accepted, or if the sample would be empty.
    """
    for tier in TIERS:
        if not 0 <= sizes.get(tier, 0) <= MAX_SIZE:
            raise PrecisionError(f"{tier} is {sizes[tier]}, but has to be 0 to {MAX_SIZE:,}")
    if not -LARGEST_SEED <= seed < LARGEST_SEED:
        raise PrecisionError(f"the seed {seed} is too long a number")
    if not tiers:
        raise PrecisionError("no answer is accepted yet: judge, close and settle a batch first")
    drawn = {
        tier: sorted(
            (each for each in tiers if tiers[each] == tier),
            key=lambda each: (lot(seed, each, separator=" "), each),
        )[: sizes.get(tier, 0)]
        for tier in TIERS
    }
    if not any(drawn.values()):
        there = ", ".join(f"{list(tiers.values()).count(tier)} {tier}" for tier in TIERS)
        raise PrecisionError(f"a sample of none says nothing: there are {there}")
    return drawn


def holds(tier: str, plausibility: str, faithfulness: str) -> bool | None:
    """Whether the answer holds by the expert's labels ("" without one); None while that is open."""
    if plausibility != ACCEPTANCE.accepted:
        return False if plausibility else None
    if tier == SILVER:
        return True
    return faithfulness == GROUNDING.accepted if faithfulness else None


def next_scheme(tier: str, plausibility: str, faithfulness: str) -> str:
    """The name of the scheme to ask next; "" if it is known whether the answer holds."""
    if holds(tier, plausibility, faithfulness) is not None:
        return ""
    return GROUNDING.name if plausibility else ACCEPTANCE.name


def audit_figures(rows: Iterable[PrecisionRow]) -> list[Json]:
    """The figures of each audit, by number. They do not depend on the order of the rows."""
    ordered = sorted(rows, key=lambda row: (row.audit, row.answer_id))
    return [_audit(number, list(of)) for number, of in groupby(ordered, lambda row: row.audit)]


def _audit(number: int, rows: Sequence[PrecisionRow]) -> Json:
    changed = [
        {"answer_id": row.answer_id, "tier": row.tier, "tier_now": row.tier_now}
        for row in rows
        if row.tier != row.tier_now
    ]
    return shares(number, rows) | {"changed": changed}


def shares(number: int, rows: Sequence[Audited]) -> Json:
    """The figures of the audit with this number, from its answers; there is one at least."""
    strata = {
        GOLD: _stratum(GOLD, rows[0].n_gold, rows),
        SILVER: _stratum(SILVER, rows[0].n_silver, rows),
    }
    found = estimate(strata[GOLD], [strata[SILVER]])
    totals = {GOLD: found.drawn.total, SILVER: found.strata[0].total}
    tiers = [_tier(strata[tier], totals[tier]) for tier in TIERS]
    n_accepted = sum(each.n_accepted for each in tiers)
    return {
        "audit": number,
        "n_accepted": n_accepted,
        "n_drawn": len(rows),
        "n_judged": sum(each.n_judged for each in tiers),
        "n_hold": sum(each.n_hold for each in tiers),
        "share": asdict(_share(found.plausible, n_accepted)),
        "tiers": [asdict(each) for each in tiers],
    }


def _stratum(tier: str, n_accepted: int, rows: Iterable[Audited]) -> Stratum:
    of_tier = [row for row in rows if row.tier == tier]
    judged = [row.holds for row in of_tier if row.holds is not None]
    return Stratum(tier, Judged(n_accepted, len(of_tier), len(judged), sum(judged)))


def _tier(stratum: Stratum, total: Figure) -> Tier:
    judged = stratum.judged
    return Tier(
        tier=stratum.name,
        n_accepted=judged.n_units,
        n_drawn=judged.n_asked,
        n_judged=judged.n_settled,
        n_hold=judged.n_plausible,
        share=_share(total, judged.n_units),
    )


def _share(total: Figure, of: int) -> Share:
    """The share from an estimated number of answers that hold, of `of` answers."""
    if not of:
        return Share(None, NO_ACCEPTED, None, None)
    if total.value is None or total.low is None or total.high is None:
        _, _, names = (total.reason or "").rpartition(": ")
        return Share(None, f"{NOT_JUDGED}{names}", None, None)
    return Share(total.value / of, None, total.low / of, total.high / of)
