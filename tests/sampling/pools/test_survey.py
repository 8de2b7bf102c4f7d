"""The numbers beside a threshold are those of the pool that it would draw, whatever the rule."""

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampling.pools import draws, selection
from sampling.pools.rule import Rule
from sampling.pools.selection import DrawResult, GivenAnswer, State, TurnAnswers
from sampling.pools.survey import Survey
from sampling.pools.survey_rows import Row, row_of_turn
from sampling.pools.turns import ALLOCATIONS, DISAGREEMENT, STRATA
from text.bags import BAG_KINDS

RUNS = ["a", "b", "c", "d", "e"]
RULE = Rule(scorer="sas", threshold=0.5, min_candidates=2)
WORDS = ["cats", "cat", "dogs", "not", "the", "of", "Big", "lion", "?"]

texts = st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join)
scores = st.none() | st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
answers = st.dictionaries(st.sampled_from(RUNS), st.tuples(texts, scores))
turns = st.builds(
    lambda question, references, answers, standing: TurnAnswers(
        "",
        (question,),
        tuple(references),
        tuple(GivenAnswer(run, *answer) for run, answer in answers.items()),
        standing,
    ),
    texts,
    st.lists(texts, max_size=2),
    answers,
    st.frozensets(texts, max_size=4),
)
rules_of_all = st.builds(
    Rule,
    scorer=st.just("sas"),
    threshold=st.sampled_from([-1, 0.0, 0.3, 0.5, 0.74, 1.0]),
    min_candidates=st.integers(1, 4),
    bag=st.sampled_from(BAG_KINDS),
    cap_per_turn=st.none() | st.integers(1, 3),
    runs=st.none() | st.frozensets(st.sampled_from(RUNS), min_size=1),
    seed=st.integers(0, 5),
    near=st.sampled_from([None, 0.3, 0.6, 0.8, 1.0]),
    leaves_out_standing=st.booleans(),
)
of_turns = st.fixed_dictionaries(
    {
        "n_turns": st.integers(1, 4),
        "strata": st.sampled_from([None, *STRATA]),
        "allocation": st.sampled_from(ALLOCATIONS),
        "prefer": st.sampled_from([None, DISAGREEMENT]),
    }
)
rules = st.builds(lambda rule, of: replace(rule, **of), rules_of_all, st.just({}) | of_turns)


def numbered(given_turns):
    return [replace(turn, turn=f"1_{number}") for number, turn in enumerate(given_turns, start=1)]


def survey_of(rule, given_turns):
    rows = [row_of_turn(turn, rule.bag, RUNS, rule.near) for turn in given_turns]
    kept = [Row(*plain) for plain in json.loads(json.dumps(rows))]
    return Survey(kept, RUNS, only=rule.runs)


def credited(drawn: DrawResult) -> dict[str, int]:
    found = [fate.run for fate in drawn.fates if fate.state == State.DRAWN]
    return {run: found.count(run) for run in RUNS}


@given(rules, st.lists(turns, max_size=6).map(numbered))
def test_a_survey_counts_what_the_rule_draws(rule, given_turns):
    outlook = survey_of(rule, given_turns).under(rule)

    drawn = draws.draw(rule, given_turns)
    counts = selection.counts(drawn)
    assert outlook.by_state == counts.by_state
    assert (outlook.n_candidates, outlook.n_turns) == (counts.n_candidates, counts.n_turns)
    assert outlook.n_turns_not_drawn == counts.n_turns_not_drawn
    chosen = rule.runs or set(RUNS)
    assert outlook.by_run == {run: n for run, n in credited(drawn).items() if run in chosen}
    assert outlook.n_merged == len(draws.merges(rule, given_turns))


@given(rules, st.lists(turns, max_size=6).map(numbered))
def test_a_survey_chooses_the_turns_so_that_parts_can_be_drawn_alone(rule, given_turns):
    chosen = survey_of(rule, given_turns).chosen(rule)

    parts = [draws.draw(rule, [turn], chosen or {}) for turn in given_turns]
    whole = draws.draw(rule, given_turns)
    assert survey_of(rule, given_turns).odds(rule) == whole.odds
    assert tuple(each for part in parts for each in part.candidates) == whole.candidates
    assert tuple(each for part in parts for each in part.fates) == whole.fates


@given(rules, st.lists(turns, max_size=6).map(numbered), st.sampled_from(State))
def test_it_finds_the_turns_in_which_an_answer_has_a_fate(rule, given_turns, state):
    found = survey_of(rule, given_turns).turns_with(state, rule)

    fates = draws.draw(rule, given_turns).fates
    assert sorted(found) == sorted({fate.turn for fate in fates if fate.state == state})


@given(rules, st.lists(turns, max_size=6).map(numbered))
def test_it_finds_the_turns_in_which_texts_are_nearly_the_same_the_least_near_first(
    rule, given_turns
):
    found = survey_of(rule, given_turns).turns_merged(rule)

    least: dict[str, float] = {}
    for merge in draws.merges(rule, given_turns):
        least[merge.turn] = min(merge.nearness, least.get(merge.turn, 1.0))
    assert found == sorted(least, key=lambda turn: least[turn])


def turn_of(name, *said, question="Which?", reference="Elephants"):
    """Answers of runs a, b, …, as (text, score)."""
    named = zip(RUNS, said, strict=False)
    given_answers = tuple(GivenAnswer(run, *answer) for run, answer in named)
    return TurnAnswers(name, (question,), (reference,), given_answers)


NEAR = turn_of("1_1", ("cats", 0.9), ("dogs", 0.52))
NEARER = turn_of("1_2", ("cats", 0.51), ("lions", 0.9), ("birds", 0.1))
FAR = turn_of("1_3", ("cats", 0.9), ("lions", 0.8), ("birds", 0.49))


def test_a_score_at_the_threshold_is_not_above_it():
    turn = turn_of("1_1", ("cats", 0.5), ("dogs", 0.51), ("birds", 0.9), ("wolf", 0.0))

    survey = survey_of(RULE, [turn])

    assert survey.under(RULE).n_candidates == 2
    assert survey.under(replace(RULE, threshold=0)).n_candidates == 3
    assert survey.under(replace(RULE, threshold=-0.1)).n_candidates == 4


def test_the_turns_next_to_the_threshold_come_first():
    survey = survey_of(RULE, [FAR, NEAR, NEARER])

    assert survey.turns_with(State.DRAWN, RULE) == ["1_2", "1_1", "1_3"]
    assert survey.turns_with(State.BELOW_THRESHOLD, RULE) == ["1_3", "1_2"]


def test_turns_that_no_threshold_orders_come_as_they_were_given():
    equal = [turn_of(name, ("elephant", 0.9)) for name in ("1_3", "1_1", "1_2")]

    assert survey_of(RULE, equal).turns_with(State.SAME_AS_REFERENCE, RULE) == ["1_3", "1_1", "1_2"]


def test_scores_are_those_of_all_answers_and_apart_those_that_may_become_candidates():
    turn = turn_of("1_1", ("cats", 0.9), ("Cat", 0.7), ("elephant", 0.8), ("dogs", None), ("", 1.0))

    survey = survey_of(RULE, [turn])

    assert sorted(survey.scores) == [0.7, 0.8, 0.9]
    assert survey.open_scores == [0.9]


def test_runs_left_out_leave_their_scores_and_texts_too():
    turn = turn_of("1_1", ("cats", 0.9), ("Cat", 0.7))

    survey = survey_of(replace(RULE, runs=frozenset({"b"})), [turn])

    assert survey.scores == survey.open_scores == [0.7]


def test_the_order_of_the_answers_changes_nothing():
    said = [("cats", 0.9), ("a cat", 0.9), ("dogs", 0.9), ("the dog", 0.9), ("birds", 0.9)]
    rule = replace(RULE, cap_per_turn=2, seed=3)
    turn = turn_of("1_1", *said)
    shuffled = list(turn.answers)
    random.Random(1).shuffle(shuffled)

    one, other = (
        survey_of(rule, [each]).under(rule)
        for each in (turn, replace(turn, answers=tuple(shuffled)))
    )

    assert one == other
    assert one.n_candidates == 2


@pytest.mark.parametrize("threshold", [-1.0, 2.0])
def test_no_turns_are_nothing_at_all(threshold):
    outlook = Survey([], RUNS).under(replace(RULE, threshold=threshold))

    assert (outlook.n_candidates, outlook.n_turns) == (0, 0)
    assert outlook.by_run == dict.fromkeys(RUNS, 0)
