"""The chance of being asked about by any of several pools."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import count, islice, product
from statistics import fmean, stdev

import pytest

from exports.meta_evaluation import queries as meta_evaluation_queries
from exports.rows.inclusion_probability import _selection, probability_of_any
from sampling.models import Pool
from sampling.pools import turns
from sampling.pools.rule import Rule
from sampling.pools.selection import Odds
from sampling.pools.turn_selection import candidates_under_cap
from tests.annotation.pools import launched
from tests.cases import all_cases
from tests.exports.judged_batches import judge_and_settle
from tests.sampling.scored_dataset import RULE, draw_pool

ONE, OTHER, AUDIT, TURN = ("cap", "1"), ("cap", "2"), ("audit", "1"), ("turn", "1")


@all_cases(
    ("selections", "expected"),
    [
        ([{(ONE, 0.5)}], 0.5),
        ([{(ONE, 0.5)}, {(OTHER, 0.5)}], 0.75),
        ([{(ONE, 0.5)}, {(ONE, 0.25)}], 0.5),
        ([{(ONE, 0.5)}, {(AUDIT, 0.1)}], 0.55),
        ([set(), {(AUDIT, 0.1)}], 1.0),
        ([{(ONE, 0.5)}, {(OTHER, 0.5)}, {(ONE, 0.9)}], 0.95),
        ([{(TURN, 0.5), (ONE, 0.5)}], 0.25),
        ([{(TURN, 0.5), (ONE, 0.5)}, {(ONE, 0.5)}], 0.5),
        # In half of all turns one of the caps in .75, in half of the others the wide one in .5.
        ([{(TURN, 0.5), (ONE, 0.5)}, {(TURN, 0.5), (OTHER, 0.5)}], 0.375),
        ([{(TURN, 0.5), (ONE, 0.5)}, {(TURN, 0.25), (ONE, 1.0)}], 0.375),
    ],
)
def test_the_chance_is_that_of_any_of_the_lots(selections, expected):
    assert probability_of_any(map(frozenset, selections)) == pytest.approx(expected)


def test_weighed_so_what_two_pools_ask_about_stands_for_all_on_average():
    """Two pools each draw one of three by lots of their own: over all nine outcomes, three in the mean.

    Weighed as in the likelier pool it would be five."""
    chance = probability_of_any([frozenset({(ONE, 1 / 3)}), frozenset({(OTHER, 1 / 3)})])

    totals = [len({one, other}) / chance for one, other in product("abc", "abc")]

    assert sum(totals) / len(totals) == pytest.approx(3)
    assert Fraction(sum(3 * len({x, y}) for x, y in product("abc", "abc")), 9) == 5


HALF = {"n_turns": 30}
PREFERRING = {**HALF, "prefer": "disagreement"}
STRATIFIED = {**HALF, "strata": "depth", "allocation": "equal"}
# 60 turns, a third of them first ones, with 1 to 4 would-be candidates.
WOULD_BE = {f"{n}_{1 + n % 3}": list(range(1 + n % 4)) for n in range(60)}
ELIGIBLE = {turn: turns.Eligible(turn, "", (n % 11) / 12) for n, turn in enumerate(WOULD_BE)}
BASIC = Rule(scorer="paper", threshold=0.8, min_candidates=1)


def asks(rule):
    """What a rule asks about, and how it asks about each that it might have asked about."""
    eligible = [
        each._replace(stratum=turns.stratum(rule.strata, turn, "", len(WOULD_BE[turn])))
        for turn, each in ELIGIBLE.items()
    ]
    if rule.turns:
        chosen, odds = turns.choose(rule.turns, eligible), turns.chances(rule.turns, eligible)
    else:
        chosen = odds = dict.fromkeys(WOULD_BE, 1.0)
    selection = cache(partial(_selection, Pool(rule=rule.to_dict())))
    drawn, selections = set(), {}
    for turn, texts in WOULD_BE.items():
        of_turn = candidates_under_cap(rule, turn, texts)
        drawn |= {(turn, text) for text in of_turn if turn in chosen}
        found = selection(Odds(odds[turn], len(of_turn) / len(texts)))
        selections |= {(turn, text): found for text in texts}
    return drawn, selections


def weighed(rules):
    """What all that the pools ask about stands for."""
    found, selections = set(), defaultdict(list)
    for drawn, of in map(asks, rules):
        found |= drawn
        for answer, selection in of.items():
            selections[answer].append(selection)
    chance = cache(probability_of_any)  # many answers were asked about in the same ways
    return sum(1 / chance(tuple(selections[answer])) for answer in found)


@pytest.mark.parametrize(
    "pools",
    {
        "one pool": [HALF],
        "one with a preference": [PREFERRING],
        "one with turns and a cap": [{**PREFERRING, "cap_per_turn": 2}],
        "two seeds": [HALF, {**HALF, "other": True}],
        "two seeds, preferring": [PREFERRING, {**PREFERRING, "other": True}],
        "the same rule and seed": [HALF, HALF],
        "the same rule and seed, preferring": [PREFERRING, PREFERRING],
        "two seeds with turns and caps": [
            {**HALF, "cap_per_turn": 2},
            {**HALF, "cap_per_turn": 1, "other": True},
        ],
        "one seed, more turns and a lower cap": [
            {**HALF, "cap_per_turn": 2},
            {"n_turns": 45, "cap_per_turn": 1},
        ],
        "one seed, turns here and a cap there": [HALF, {"cap_per_turn": 1}],
        "one seed, stratified and preferring": [STRATIFIED, PREFERRING],
        "one seed, three pools": [{**HALF, "cap_per_turn": 1}, STRATIFIED, {"cap_per_turn": 2}],
    }.items(),
    ids=lambda each: each[0],
)
def test_over_seeds_what_is_asked_about_stands_for_all_that_would_be(pools):
    """Within four standard errors, and those below a hundredth."""
    everything = sum(map(len, WOULD_BE.values()))
    totals = []
    for seed in islice(count(1), 400):
        rules = [
            replace(
                BASIC,
                seed=seed + 10_000 * each.get("other", False),
                **{key: value for key, value in each.items() if key != "other"},
            )
            for each in pools[1]
        ]
        totals.append(weighed(rules))

    error = stdev(totals) / len(totals) ** 0.5
    assert error < 0.015 * everything
    assert fmean(totals) == pytest.approx(everything, abs=4 * error + 1e-9)


@pytest.mark.parametrize(("seed", "weight"), [(1, 2.0), (2, 4 / 3), (3, 4 / 3), (4, 4 / 3)])
def test_a_question_that_one_pool_did_not_draw_had_its_chance_there(pool, bob, dora, seed, weight):
    """Each draws one of two questions. By one seed it is the same one; by another each had 3/4."""
    pools = [
        draw_pool(pool.dataset, replace(RULE, n_turns=1, seed=each), name=f"by {place}")
        for place, each in enumerate((1, seed))
    ]
    for each in pools:
        judge_and_settle(launched(each, name=each.name), bob, dora)

    found = meta_evaluation_queries.settled_answers(pool.dataset)

    assert list(found.weights.values()) == pytest.approx([weight] * len(found.weights))
    assert found.weights


def test_whether_a_pool_leaves_out_what_stands_has_no_part_in_its_lots():
    rule = replace(BASIC, **PREFERRING, cap_per_turn=1)
    odds = Odds(0.5, 0.5)

    assert _selection(Pool(rule=replace(rule, leaves_out_standing=True).to_dict()), odds) == (
        _selection(Pool(rule=rule.to_dict()), odds)
    )
