"""A precision audit: which share of the accepted answers an expert accepts too. Plain Python.

The population are the distinct answers that are accepted when the audit is drawn, gold and silver apart. Of
the N of a tier the n with the smallest lots are drawn, all of them where there are no more than n: a simple
random sample. A lot is the SHA-256 of seed and answer id, so the order of rows changes nothing, and a larger
sample with the same seed holds the smaller one. The order in which they are judged is again by lot, so that
the m that are judged so far are a random sample too.

An answer holds where the expert finds it plausible and, of gold, also faithful. With y of the m judged ones
holding, the tier's share is y / m. Its interval is exact for a finite population: the limits of
`stats.hypergeometric` for how many of the N hold, divided by N. All tiers together: Σ N·y/m / ΣN, weighted
by what there is of each, not by what was drawn; its interval is put together from the tiers' exact limits as
`stats.stratified_estimate` does (Zou, Huang & Zhang 2009). What is not judged counts as if it were missing by chance.

The share is about the answers that were accepted then, by the verdicts of then. Where a verdict changed since,
the answer stays in the sample and is listed.

Undefined: a tier of which nothing is judged, and all together while there is one (an empty tier is none).

Right: gold 90 and silver 10, of each 5 judged, all gold and 3 silver hold → (90·1 + 10·.6) / 100 = .96.
Wrong: 8 of 10.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby

from annotation.schemes import ACCEPTANCE, GROUNDING
from exports.rows.columns import PrecisionRow
from exports.rows.tiers import GOLD, SILVER, TIERS
from stats.lots import lot
from stats.stratified_estimate import Figure, Judged, Stratum, estimate

Json = dict[str, object]
# Where all of so many hold, at least about 93 % of a large tier do.
USUAL = 50
MOST = 10_000
LARGEST_SEED = 2**63  # of what the database keeps
NOTHING = "there was no accepted answer of this tier"
NOT_JUDGED = "nothing is judged yet of: "


class PrecisionError(Exception):
    """The audit cannot be drawn, or the answer not be judged; the message says why."""


@dataclass(frozen=True, slots=True)
class Share:
    """None with the reason. `low` and `high` are 95 % limits."""

    value: float | None
    reason: str | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Tier:
    tier: str
    n_accepted: int  # the population
    n_drawn: int
    n_judged: int
    n_hold: int
    share: Share


def draw(tiers: Mapping[str, str], sizes: Mapping[str, int], seed: int) -> dict[str, list[str]]:
    """Of the accepted answers, {answer id: tier}, so many of each tier: their ids in order of their lots.

    Raises PrecisionError where nothing is accepted, or none of what is was asked for.
    """
    for tier in TIERS:
        if not 0 <= sizes.get(tier, 0) <= MOST:
            raise PrecisionError(f"{tier} is {sizes[tier]}, but has to be 0 to {MOST:,}")
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
    """Whether the answer holds by the labels that were given ("": none yet); None while that is open."""
    if plausibility != ACCEPTANCE.accepted:
        return False if plausibility else None
    if tier == SILVER:
        return True
    return faithfulness == GROUNDING.accepted if faithfulness else None


def asks(tier: str, plausibility: str, faithfulness: str) -> str:
    """The scheme that is asked next; "" where it is decided whether the answer holds."""
    if holds(tier, plausibility, faithfulness) is not None:
        return ""
    return GROUNDING.name if plausibility else ACCEPTANCE.name


def precision(rows: Iterable[PrecisionRow]) -> list[Json]:
    """What each audit comes to, by its number. The order of the rows changes nothing."""
    ordered = sorted(rows, key=lambda row: (row.audit, row.answer_id))
    return [_audit(number, list(of)) for number, of in groupby(ordered, lambda row: row.audit)]


def _audit(number: int, rows: Sequence[PrecisionRow]) -> Json:
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
        "changed": [
            {"answer_id": row.answer_id, "tier": row.tier, "tier_now": row.tier_now}
            for row in rows
            if row.tier != row.tier_now
        ],
    }


def _stratum(tier: str, n_accepted: int, rows: Iterable[PrecisionRow]) -> Stratum:
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
    """Of an estimated number that hold."""
    if not of:
        return Share(None, NOTHING, None, None)
    if total.value is None or total.low is None or total.high is None:
        _, _, names = (total.reason or "").rpartition(": ")
        return Share(None, f"{NOT_JUDGED}{names}", None, None)
    return Share(total.value / of, None, total.low / of, total.high / of)
