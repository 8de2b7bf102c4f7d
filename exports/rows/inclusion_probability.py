"""The chance that an answer had of being asked about, where several pools might have asked.

A pool asks about a candidate where each of its lots falls so: that of the turn, where the rule draws some
turns (sampling.pools.turns), and that under the cap, with cap / would-be candidates. An audit sample asks about
n / N of its stratum. Without lots it is certain. Of several pools the chance is that of being asked about by
any of them,

    1 - Π (1 - p)     over pools whose lots are thrown apart, p the product of the chances of a pool's lots

Lots are one where the same numbers decide (`Lots`): those under a cap where seed, scorer, bags, nearness and
runs are the same; those of turns where the seed is and no disagreement is preferred, for each turn has one
number then; with a preference, where the whole rule but the cap is the same; those of an audit where the seed
is. Of one lot the larger chance holds the smaller one: exactly where strata and eligible turns are the same,
else nearly. The lots of a turn and those under a cap are never one, though of one seed. So pools may have one
lot in common and another not: they are counted by inclusion and exclusion.

What one pool left out by its cap, in a turn that it did not draw, or passed over in its audit sample, had its
chance there too.

Right: two pools that differ by their seed only drew one of two would-be candidates each. Each of the two had
3/4, and what was asked about stands for 4/3. Wrong: as in the likelier pool, 1/2: what both pools asked about
would then stand for 4 answers of 2.

Of an answer that a cap or a turn's lot left out it is not kept whether it would have been a candidate itself
or has the words of one. That another pool drew it says that it would.

The turns that a pool did not draw have their chance in `Pool.odds`. A pool drawn before that was kept speaks
only for what it drew: of turns it passed over nothing is known.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import prod

from corpus.queries import turn_ids
from exports.rows.outcomes import Distinct
from sampling.models import Candidate, Fate, Pool
from sampling.pools.selection import Odds, State
from scoring.queries import MOST_KEYS_PER_QUERY
from scoring.text_hashes import text_sha256

# Which lots were thrown: for turns, under a cap or for an audit sample, with what in common.
Lots = tuple[str, str]
# How a pool asks: by which lots, each with its chance below 1. Without any for certain.
Asking = frozenset[tuple[Lots, float]]
CERTAIN: Asking = frozenset()


def of_any(askings: Iterable[Asking]) -> float:
    """With the lots a and b: `[{(a, .5)}, {(b, .5)}]` gives .75; with a twice, .5; and
    `[{(a, .5), (b, .5)}, {(a, .5)}]` .5, for the second asks wherever the first does.
    """
    return 1.0 - prod(1.0 - _of_bound(bound) for bound in _bound(_widest(set(askings))))


def _widest(askings: Collection[Asking]) -> list[Asking]:
    """Without those that ask only where another does too."""
    return [
        one
        for one in askings
        if not any(other != one and _is_within(one, other) for other in askings)
    ]


def _is_within(one: Asking, other: Asking) -> bool:
    chances = dict(one)
    return all(lots in chances and chances[lots] <= chance for lots, chance in other)


def _bound(askings: Iterable[Asking]) -> list[list[Asking]]:
    """In groups that have no lots in common."""
    groups: list[list[Asking]] = []
    for asking in askings:
        lots = dict(asking).keys()
        with_it = [group for group in groups if any(lots & dict(each).keys() for each in group)]
        groups = [group for group in groups if group not in with_it]
        groups.append([asking, *(each for group in with_it for each in group)])
    return groups


def _of_bound(askings: Sequence[Asking]) -> float:
    """The chance of any, by inclusion and exclusion."""
    found = 0.0
    for n in range(1, len(askings) + 1):
        of_n = sum(map(_of_all, combinations(askings, n)))
        found += of_n if n % 2 else -of_n
    return found


def _of_all(askings: Iterable[Asking]) -> float:
    least: dict[Lots, float] = {}
    for lots, chance in (each for asking in askings for each in asking):
        least[lots] = min(chance, least.get(lots, 1.0))
    return prod(least.values())


def chances(asked: Sequence[Pool]) -> dict[Distinct, float]:
    """The chance of each candidate of the pools.

    Where what a pool's cap left out was audited, it is spoken for: what the cap chose counts for itself.
    """
    odds = {pool.pk: _odds(pool) for pool in asked if pool.odds}
    pools = {pool.pk: pool for pool in asked}
    spoken_for = {audit.audit_of_id for audit in asked if _share(audit, State.CAPPED)}
    found: dict[Distinct, list[Asking]] = defaultdict(list)
    under_cap: dict[tuple[int, int], Asking] = {}
    rows = Candidate.objects.filter(pool__in=asked).values_list(
        "pool_id", "turn_id", "text_sha256", "inclusion_probability"
    )
    for pool, turn, sha256, chance in rows.iterator():
        of_turn = odds.get(pool, {}).get(turn, Odds(1.0, chance))
        own = CERTAIN if pool in spoken_for else _asking(pools[pool], of_turn)
        found[turn, sha256].append(own)
        if own and not pools[pool].audit_of_id:
            under_cap[pool, turn] = own
    not_drawn = {
        (pool, turn): _asking(pools[pool], each)
        for pool, of in odds.items()
        for turn, each in of.items()
    }
    if len(asked) > 1:
        for answer, asking in _elsewhere(asked, found, not_drawn | under_cap):
            found[answer].append(asking)
    return {answer: of_any(of) for answer, of in found.items()}


def _odds(pool: Pool) -> dict[int, Odds]:
    keys = turn_ids(pool.dataset)
    return {keys[turn]: Odds(*each) for turn, each in pool.odds.items()}


def _asking(pool: Pool, odds: Odds) -> Asking:
    """Of an audit sample, `odds.cap` is the share of its stratum."""
    lots = ((_turn_lots(pool), odds.turn), (_other_lots(pool), odds.cap))
    return frozenset((each, chance) for each, chance in lots if chance < 1)


def _turn_lots(pool: Pool) -> Lots:
    rule = pool.rule
    if not rule.get("prefer"):
        return "turn", str(rule.get("seed", 0))
    return "turn", json.dumps(rule | {"cap_per_turn": None}, sort_keys=True)


def _other_lots(pool: Pool) -> Lots:
    if pool.audit_of_id:
        return "audit", str(pool.rule.get("seed", 0))
    of = ("seed", "scorer", "bag", "near", "runs")
    return "cap", json.dumps([pool.rule.get(field) for field in of])


def _share(audit: Pool, state: str) -> float:
    """Which share of a stratum an audit sample asks about."""
    stratum = audit.counts["strata"].get(state) if audit.audit_of_id else None
    return stratum["n_drawn"] / stratum["n"] if stratum and stratum["n"] else 0.0


def _elsewhere(
    asked: Sequence[Pool],
    found: Mapping[Distinct, Sequence[Asking]],
    by_lot: Mapping[tuple[int, int], Asking],
) -> Iterator[tuple[Distinct, Asking]]:
    """How pools would have asked about answers that they left out, of those that were not certain to be asked about."""
    unsure = {answer for answer, of in found.items() if CERTAIN not in of}
    audits: dict[int, list[Pool]] = defaultdict(list)
    for pool in asked:
        if pool.audit_of_id:
            audits[pool.audit_of_id].append(pool)
    pools = {pool for pool, _ in by_lot} | audits.keys()
    for pool_id, state, answer in _left_out(pools, unsure):
        asking = by_lot.get((pool_id, answer[0]))
        if state in (State.CAPPED, State.TURN_NOT_DRAWN) and asking:
            yield answer, asking
        for audit in audits.get(pool_id, ()):
            if share := _share(audit, state):
                yield answer, _asking(audit, Odds(1.0, share))


def _left_out(
    pools: Collection[int], wanted: Collection[Distinct]
) -> Iterator[tuple[int, str, Distinct]]:
    turns = sorted({turn for turn, _ in wanted})
    fates = Fate.objects.filter(pool__in=pools).exclude(state=State.DRAWN)
    for start in range(0, len(turns), MOST_KEYS_PER_QUERY):
        some = fates.filter(answer__turn__in=turns[start : start + MOST_KEYS_PER_QUERY])
        rows = some.values_list("pool_id", "state", "answer__turn_id", "answer__text")
        for pool, state, turn, text in rows.iterator():
            if (answer := (turn, text_sha256(text))) in wanted:
                yield pool, state, answer
