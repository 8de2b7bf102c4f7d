"""The probability that an answer is asked about by any of several pools.

A pool asks about a candidate if each of its random draws selects it: the draw of turns, where the
rule draws some turns (`sampling.pools.turns`), and the draw under the cap, with probability cap /
would-be candidates. An audit sample asks about n / N of its stratum. A pool without random draws is
certain to ask. The inclusion probability is

    1 - Π (1 - p)     over pools with independent draws, p the product of the probabilities of a pool's draws

Two pools share a draw where the same random numbers decide (`DrawKey`): under a cap if seed,
scorer, bags, nearness and runs are equal; of turns if the seed is equal and no disagreement is
preferred, as each turn then has one number; with a preference, if the whole rule but the cap is
equal; of an audit if the seed is equal. In a shared draw the larger probability contains the
smaller one: exactly if strata and eligible turns are equal, else nearly. The draw of turns and the
draw under a cap are never shared, though they have one seed. So two pools may share one draw and
not another: they are counted by inclusion and exclusion.

Answers that a pool left out by its cap, in a turn that it did not draw, because they stand in an
earlier version, or in its audit sample had their probability there too. So had those of a late run in
a top-up that another pool asks about: the top-up would have drawn them.

Example: two pools that differ in their seed only each drew one of two would-be candidates. Each
candidate has the probability 3/4, so that an answer that was asked about stands for 4/3. The
probability is not 1/2, that of the likelier pool: what both pools asked about would then stand for
4 answers of 2.

It is not stored whether an answer that a cap or a draw of turns left out would have been a
candidate itself or has the words of one. It would have been one if another pool drew it.

The turns that a pool did not draw have their probabilities in `Pool.odds`. Of a pool without them,
drawn by an earlier version, nothing is known about the turns that it left out.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import prod
from types import MappingProxyType

from annotation.models import Batch
from annotation.schemes import ACCEPTANCE
from corpus.models import Dataset
from corpus.queries import turn_ids
from corpus.versions import own_turns
from exports.rows.outcomes import DistinctAnswer
from exports.rows.shown_answers import pools_leaving_out
from sampling.late_run_queries import LIKE
from sampling.models import Candidate, Fate, Pool
from sampling.pools.selection import Odds, State
from scoring.queries import key_slices
from scoring.text_hashes import text_sha256

# A random draw: what it draws (turn, cap or audit), and what pools that share it have in common.
DrawKey = tuple[str, str]
# The draws that all have to select an answer, each with its probability below 1. Empty: certain.
Selection = frozenset[tuple[DrawKey, float]]
CERTAIN: Selection = frozenset()


def probability_of_any(selections: Iterable[Selection]) -> float:
    """The probability that at least one of the selections succeeds.

    With the draws a and b: `[{(a, .5)}, {(b, .5)}]` gives .75; with a twice, .5; and
    `[{(a, .5), (b, .5)}, {(a, .5)}]` .5, as the second succeeds wherever the first does.
    """
    groups = _independent_groups(_without_implied(set(selections)))
    return 1.0 - prod(1.0 - _group_probability(group) for group in groups)


def _without_implied(selections: Collection[Selection]) -> list[Selection]:
    """The selections without those that succeed only where another one does."""
    return [
        one
        for one in selections
        if not any(other != one and _implies(one, other) for other in selections)
    ]


def _implies(one: Selection, other: Selection) -> bool:
    """Whether `other` succeeds wherever `one` does."""
    probabilities = dict(one)
    return all(
        key in probabilities and probabilities[key] <= probability for key, probability in other
    )


def _independent_groups(selections: Iterable[Selection]) -> list[list[Selection]]:
    """The selections in groups that share no draw."""
    groups: list[list[Selection]] = []
    for selection in selections:
        keys = dict(selection).keys()
        linked = [group for group in groups if any(keys & dict(each).keys() for each in group)]
        groups = [group for group in groups if group not in linked]
        groups.append([selection, *(each for group in linked for each in group)])
    return groups


def _group_probability(selections: Sequence[Selection]) -> float:
    """The probability of any, by inclusion and exclusion."""
    found = 0.0
    for n in range(1, len(selections) + 1):
        of_n = sum(map(_joint_probability, combinations(selections, n)))
        found += of_n if n % 2 else -of_n
    return found


def _joint_probability(selections: Iterable[Selection]) -> float:
    least: dict[DrawKey, float] = {}
    for key, probability in (each for selection in selections for each in selection):
        least[key] = min(probability, least.get(key, 1.0))
    return prod(least.values())


def inclusion_probabilities(
    pools: Sequence[Pool], own_turns: Mapping[int, int] = MappingProxyType({})
) -> dict[DistinctAnswer, float]:
    """The inclusion probability of each candidate of the pools.

    `own_turns` has, by turn of an earlier version, the turn of the version at hand that is the same:
    pools of both ask about one answer.

    A candidate of a pool has the probability 1 if an audit sample asks about what the pool's cap
    left out.
    """
    odds = {pool.pk: _odds(pool, own_turns) for pool in pools if pool.odds}
    by_pk = {pool.pk: pool for pool in pools}
    with_audited_cap = {pool.audit_of_id for pool in pools if _audited_share(pool, State.CAPPED)}
    found: dict[DistinctAnswer, list[Selection]] = defaultdict(list)
    under_cap: dict[tuple[int, int], Selection] = {}
    rows = Candidate.objects.filter(pool__in=pools).values_list(
        "pool_id", "turn_id", "text_sha256", "inclusion_probability"
    )
    for pool, pools_turn, sha256, probability in rows.iterator():
        turn = own_turns.get(pools_turn, pools_turn)
        of_turn = odds.get(pool, {}).get(turn, Odds(1.0, probability))
        own = CERTAIN if pool in with_audited_cap else _selection(by_pk[pool], of_turn)
        found[turn, sha256].append(own)
        if own and not by_pk[pool].audit_of_id:
            under_cap[pool, turn] = own
    in_turns_not_drawn = {
        (pool, turn): _selection(by_pk[pool], each)
        for pool, of in odds.items()
        for turn, each in of.items()
    }
    if len(pools) > 1:
        by_turn = in_turns_not_drawn | under_cap
        for answer, selection in _other_selections(pools, found, by_turn, own_turns):
            found[answer].append(selection)
    return {answer: probability_of_any(of) for answer, of in found.items()}


def joint_probabilities(batches: Sequence[Batch], dataset: Dataset | None) -> dict[int, float]:
    """Return by candidate the probability that any of the batches of plausibility asks about its answer.

    It is empty where there is one pool, as a candidate's own probability is the joint one then. Pools that left out
    what stands before them, and had nothing to ask about then, count as asked. `dataset` is needed where batches are
    of several versions.
    """
    pools = {each.pool.pk: each.pool for each in batches if each.scheme == ACCEPTANCE.name}
    if dataset is not None and pools:
        is_rehearsal = any(each.is_rehearsal for each in batches)
        leaving_out = pools_leaving_out(dataset, is_rehearsal=is_rehearsal)
        empty = leaving_out.filter(counts__n_candidates=0)
        pools |= {pool.pk: pool for pool in empty}
    if len(pools) < 2:
        return {}
    own = own_turns(dataset) if dataset else {}
    found = inclusion_probabilities(list(pools.values()), own)
    rows = Candidate.objects.filter(pool__in=pools).values_list("pk", "turn_id", "text_sha256")
    return {pk: found[own.get(turn, turn), sha256] for pk, turn, sha256 in rows.iterator()}


def _odds(pool: Pool, own_turns: Mapping[int, int]) -> dict[int, Odds]:
    keys = turn_ids(pool.dataset)
    return {own_turns.get(keys[turn], keys[turn]): Odds(*each) for turn, each in pool.odds.items()}


def _selection(pool: Pool, odds: Odds) -> Selection:
    """The draws of a pool. `odds.cap` of an audit sample is the share of its stratum."""
    draws = ((_turn_draw(pool), odds.turn), (_answer_draw(pool), odds.cap))
    return frozenset((key, probability) for key, probability in draws if probability < 1)


def _turn_draw(pool: Pool) -> DrawKey:
    rule = pool.rule
    if not rule.get("prefer"):
        return "turn", str(rule.get("seed", 0))
    # Neither the cap nor what is left out at last has a part in the draw of turns.
    of = {name: rule[name] for name in rule if name != "leaves_out_standing"}
    return "turn", json.dumps(of | {"cap_per_turn": None}, sort_keys=True)


def _answer_draw(pool: Pool) -> DrawKey:
    if pool.audit_of_id:
        return "audit", str(pool.rule.get("seed", 0))
    of = ("seed", "scorer", "bag", "near", "runs")
    return "cap", json.dumps([pool.rule.get(field) for field in of])


def _audited_share(audit: Pool, state: str) -> float:
    """The share of a stratum that an audit sample asks about; 0 for a pool that is no audit sample."""
    stratum = audit.counts["strata"].get(state) if audit.audit_of_id else None
    return stratum["n_drawn"] / stratum["n"] if stratum and stratum["n"] else 0.0


def _other_selections(
    pools: Sequence[Pool],
    found: Mapping[DistinctAnswer, Sequence[Selection]],
    by_turn: Mapping[tuple[int, int], Selection],
    own_turns: Mapping[int, int],
) -> Iterator[tuple[DistinctAnswer, Selection]]:
    """The selections of found answers in pools that left them out, unless an answer is certain.

    `by_turn` has the selection of the answers of a turn that a pool left out, by pool and turn.
    """
    uncertain = {answer for answer, of in found.items() if CERTAIN not in of}
    audits: dict[int, list[Pool]] = defaultdict(list)
    for pool in pools:
        if pool.audit_of_id:
            audits[pool.audit_of_id].append(pool)
    leaving_out = {
        pool.pk for pool in pools if pool.rule.get("leaves_out_standing") or LIKE in pool.counts
    }
    keys = {pool for pool, _ in by_turn} | audits.keys() | leaving_out
    for pool_id, state, answer in _left_out_answers(keys, uncertain, own_turns):
        selection = by_turn.get((pool_id, answer[0]))
        if state in (State.CAPPED, State.TURN_NOT_DRAWN) and selection:
            yield answer, selection
        if state == State.STANDS:  # the pool would have asked about it, certainly or by lot
            is_capped_asked = any(_audited_share(a, State.CAPPED) for a in audits.get(pool_id, ()))
            yield answer, CERTAIN if is_capped_asked or selection is None else selection
        for audit in audits.get(pool_id, ()):
            if share := _audited_share(audit, state):
                yield answer, _selection(audit, Odds(1.0, share))


def _left_out_answers(
    pools: Collection[int], wanted: Collection[DistinctAnswer], own_turns: Mapping[int, int]
) -> Iterator[tuple[int, str, DistinctAnswer]]:
    """The wanted answers that the pools left out: pool, fate and answer."""
    own = {turn for turn, _ in wanted}
    turns = sorted(own | {earlier for earlier, turn in own_turns.items() if turn in own})
    fates = Fate.objects.filter(pool__in=pools).exclude(state=State.DRAWN)
    for part in key_slices(turns):
        some = fates.filter(answer__turn__in=part)
        rows = some.values_list("pool_id", "state", "answer__turn_id", "answer__text")
        for pool, state, turn, text in rows.iterator():
            if (answer := (own_turns.get(turn, turn), text_sha256(text))) in wanted:
                yield pool, state, answer
