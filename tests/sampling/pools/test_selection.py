import gc
import json
import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampling.pools.draws import draw, merges
from sampling.pools.rule import Rule, RuleError
from sampling.pools.selection import (
    AnswersError,
    Counts,
    DrawnCandidate,
    Fate,
    GivenAnswer,
    Merge,
    ScoreConflict,
    State,
    TurnAnswers,
    WhyKept,
    counts,
)
from sampling.pools.turns import ALLOCATIONS, DISAGREEMENT, STRATA
from tests.cases import all_cases
from text.bags import BAG_KINDS, bag

RULE = Rule(scorer="sas", threshold=0.8)


def turn_of(*answers, turn="1_1", question="What is a lion?", reference="A lion is a large cat."):
    """Answers as (run, text, score)."""
    return TurnAnswers(
        turn, (question,), (reference,), tuple(GivenAnswer(*answer) for answer in answers)
    )


def numbered(*answers, **turn):
    """Answers as (text, score), of runs r1, r2, …"""
    return turn_of(*((f"r{n}", *answer) for n, answer in enumerate(answers, 1)), **turn)


def states(drawn):
    return {fate.run: str(fate.state) for fate in drawn.fates}


def texts(drawn):
    return [candidate.text for candidate in drawn.candidates]


LIONS = turn_of(
    ("a", " Lions are cats.", 0.90),  # answers often begin with a space; the same text as b's
    ("b", "Lions are cats.\n", 0.95),
    ("c", "The cats are lions", 0.85),  # the order of words told these two apart in the notebooks
    ("d", "A big cat", 0.80),  # at the threshold, not above it
    ("e", "Cats of Africa", 0.81),
    ("f", "what is a LION", 0.97),  # a baseline that answers with the question
    ("g", "Large cats, the lions", 0.5),
    ("h", " \n", 0.99),
    ("i", "Not a cat", 0.81),
    ("j", "Predators", None),
    ("k", "CAT LION", None),
)
MAMMALS = turn_of(
    ("a", "Lions are cats.", 0.95),  # the very text of a candidate, but of another turn
    ("b", "Cats are lions", 0.1),
    ("c", "Big mammals", 0.9),
    ("d", "Mammals", 0.2),
    turn="1_2",
    question="Which animals live there?",
    reference="Elephants",
)
NO_TRUTH = turn_of(("a", "Lions are cats.", 0.9), ("b", "", None), turn="1_3", reference=" ")


def test_a_case_worked_by_hand():
    drawn = draw(RULE, [LIONS, MAMMALS, NO_TRUTH])

    assert drawn.candidates == (
        DrawnCandidate("1_1", "Lions are cats.", 0.95, 1.0),
        DrawnCandidate("1_1", "Cats of Africa", 0.81, 1.0),
        DrawnCandidate("1_1", "Not a cat", 0.81, 1.0),
    )
    assert drawn.fates == (
        Fate("1_1", "a", State.DRAWN, "Lions are cats."),
        Fate("1_1", "b", State.DRAWN, "Lions are cats."),
        Fate("1_1", "c", State.REPRESENTED, "Lions are cats."),
        Fate("1_1", "d", State.BELOW_THRESHOLD, None),
        Fate("1_1", "e", State.DRAWN, "Cats of Africa"),
        Fate("1_1", "f", State.SAME_AS_QUESTION, None),
        Fate("1_1", "g", State.SAME_AS_REFERENCE, None),
        Fate("1_1", "h", State.EMPTY, None),
        Fate("1_1", "i", State.DRAWN, "Not a cat"),
        Fate("1_1", "j", State.NO_SCORE, None),
        Fate("1_1", "k", State.REPRESENTED, "Lions are cats."),
        Fate("1_2", "a", State.TOO_FEW_IN_TURN, None),
        Fate("1_2", "b", State.TOO_FEW_IN_TURN, None),
        Fate("1_2", "c", State.TOO_FEW_IN_TURN, None),
        Fate("1_2", "d", State.BELOW_THRESHOLD, None),
        Fate("1_3", "a", State.NO_REFERENCE, None),
        Fate("1_3", "b", State.EMPTY, None),
    )
    assert drawn.conflicts == (ScoreConflict("1_1", "Lions are cats.", (0.95, 0.9)),)


def test_counts_name_every_state_and_add_up_to_the_answers():
    got = counts(draw(RULE, [LIONS, MAMMALS, NO_TRUTH]))

    assert got == Counts(
        by_state={
            State.DRAWN: 4,
            State.REPRESENTED: 2,
            State.SAME_AS_REFERENCE: 1,
            State.SAME_AS_QUESTION: 1,
            State.BELOW_THRESHOLD: 2,
            State.TOO_FEW_IN_TURN: 3,
            State.TURN_NOT_DRAWN: 0,
            State.CAPPED: 0,
            State.EMPTY: 2,
            State.NO_REFERENCE: 1,
            State.NO_SCORE: 1,
        },
        n_candidates=3,
        n_turns=1,
    )
    assert sum(got.by_state.values()) == 17


def test_nothing_given_draws_nothing():
    drawn = draw(RULE, [])

    assert (drawn.candidates, drawn.fates, drawn.conflicts) == ((), (), ())
    assert counts(drawn).n_turns == 0


def test_min_candidates_does_not_count_the_reference():
    two = [("Cats of Africa", 0.9), ("Predators", 0.9)]
    assert texts(draw(RULE, [numbered(*two)])) == []
    assert texts(draw(RULE, [numbered(*two, ("Mammals", 0.9))])) != []
    assert texts(draw(replace(RULE, min_candidates=2), [numbered(*two)])) != []


def test_the_higher_score_stands_for_a_bag_and_a_tie_is_settled_by_text():
    rule = replace(RULE, min_candidates=1)
    assert texts(draw(rule, [numbered(("Zebras eat", 0.9), ("Eat zebras", 0.85))])) == [
        "Zebras eat"
    ]
    assert texts(draw(rule, [numbered(("Zebras eat", 0.9), ("Eat zebras", 0.9))])) == ["Eat zebras"]


def test_a_text_without_a_score_takes_the_score_of_its_twin():
    drawn = draw(
        replace(RULE, min_candidates=1), [numbered(("Predators", None), ("Predators", 0.9))]
    )

    assert states(drawn) == {"r1": "drawn", "r2": "drawn"}
    assert drawn.conflicts == ()


def test_conflicts_are_listed_by_text_with_each_unequal_score_once():
    drawn = draw(
        RULE, [numbered(("Z", 0.1), ("B", 0.1), ("Z", 0.3), ("B", 0.2), ("Z ", 0.3), ("B", None))]
    )

    assert drawn.conflicts == (
        ScoreConflict("1_1", "B", (0.2, 0.1)),
        ScoreConflict("1_1", "Z", (0.3, 0.1)),
    )


def test_same_as_reference_holds_for_every_reference_and_before_same_as_question():
    turn = TurnAnswers(
        "1_1",
        ("Lions?", "What are predators?", "Cats?"),
        ("", "Cats", "Big cats"),
        (
            GivenAnswer("a", "the big cat", 0.9),
            GivenAnswer("b", "a cat", 0.9),
            GivenAnswer("c", "predators", None),
        ),
    )

    assert states(draw(RULE, [turn])) == {
        "a": "same_as_reference",
        "b": "same_as_reference",
        "c": "same_as_question",
    }


def test_the_paper_bag_takes_a_negated_answer_for_the_same():
    turn = numbered(
        ("They can swim", 0.9), ("They cannot not swim", 0.9), ("They can not swim", 0.88)
    )

    default = draw(replace(RULE, min_candidates=1), [turn])
    paper = draw(replace(RULE, min_candidates=1, bag="paper"), [turn])

    assert states(default)["r3"] == "drawn"
    assert states(paper)["r3"] == "represented"


def test_runs_restrict_what_is_drawn_from():
    drawn = draw(replace(RULE, runs=frozenset({"c", "e", "i"})), [LIONS])

    assert states(drawn) == {"c": "drawn", "e": "drawn", "i": "drawn"}


FIVE = ["Alpha", "Bravo", "Charlie", "Delta", "Echo"]


def five(turn):
    return numbered(
        *((text, 0.9) for text in FIVE), ("the alpha, the", 0.1), ("Foxtrot", 0.1), turn=turn
    )


def test_a_cap_takes_its_number_with_its_probability_and_the_rest_is_capped():
    drawn = draw(replace(RULE, cap_per_turn=2), [five("1_1")])

    taken = texts(drawn)
    assert len(taken) == 2
    assert {candidate.inclusion_probability for candidate in drawn.candidates} == {0.4}
    alpha = "represented" if "Alpha" in taken else "capped"
    assert states(drawn) == {
        **{f"r{n}": "drawn" if text in taken else "capped" for n, text in enumerate(FIVE, 1)},
        "r6": alpha,
        "r7": "below_threshold",
    }


def test_a_cap_that_is_not_reached_changes_nothing():
    assert draw(replace(RULE, cap_per_turn=5), [five("1_1")]) == draw(RULE, [five("1_1")])


def test_the_capped_choice_is_the_same_in_every_release():
    """Drawn once and written down: a pool that is drawn again has to be the same pool."""
    rule = replace(RULE, cap_per_turn=2)

    assert texts(draw(rule, [five("1_1")])) == ["Delta", "Echo"]
    assert texts(draw(rule, [five("1_2")])) == ["Charlie", "Delta"]
    assert texts(draw(replace(rule, seed=2), [five("1_1")])) == ["Alpha", "Bravo"]


def test_a_cap_gives_every_candidate_its_probability():
    taken = Counter(
        text
        for seed in range(2000)
        for text in texts(draw(replace(RULE, cap_per_turn=2, seed=seed), [five("1_1")]))
    )

    # 2,000 draws at 0.4: 800 expected, standard deviation 22: five of them either way.
    assert all(690 < taken[text] < 910 for text in FIVE)


@pytest.mark.parametrize(
    ("turns", "message"),
    [
        ([LIONS, LIONS], "turn 1_1 is given twice"),
        ([turn_of(("a", "x", 0.9), ("a", "y", 0.9))], "turn 1_1: run a answers twice"),
        ([turn_of(("a", "x", float("nan")))], "turn 1_1, run a: score nan"),
        ([turn_of(("a", "x", True))], "turn 1_1, run a: score True"),
    ],
)
def test_answers_that_cannot_be_drawn_from_are_refused(turns, message):
    with pytest.raises(AnswersError, match=message):
        draw(RULE, turns)


@all_cases(
    ("field", "value"),
    [
        ("scorer", " "),
        ("threshold", float("inf")),
        ("threshold", "0.8"),
        ("threshold", True),
        ("min_candidates", 0),
        ("min_candidates", 2.0),
        ("bag", "letters"),
        ("cap_per_turn", 0),
        ("runs", frozenset()),
        ("runs", "run-a"),
        ("runs", frozenset({""})),
        ("runs", [["nested"]]),
        ("seed", None),
        ("near", 0),
        ("near", 1.01),
        ("near", float("nan")),
        ("near", "0.9"),
    ],
)
def test_a_rule_that_cannot_be_meant_is_refused_by_field(field, value):
    with pytest.raises(RuleError, match=f"^{field} is "):
        Rule(**{"scorer": "sas", "threshold": 0.8, field: value})
    with pytest.raises(RuleError, match=f"^{field} is "):
        Rule.from_dict({"scorer": "sas", "threshold": 0.8, field: value})


@pytest.mark.parametrize("plain", [{"scorer": "sas"}, {**RULE.to_dict(), "treshold": 0.7}, {}])
def test_a_stored_rule_with_missing_or_unknown_fields_is_refused(plain):
    with pytest.raises(RuleError, match=r"threshold|treshold"):
        Rule.from_dict(plain)


def test_a_rule_survives_storage_as_json():
    rule = Rule("sas", 0.8, 2, "paper", 5, frozenset({"b", "a"}), 7, 0.95)

    plain = rule.to_dict()

    assert plain["runs"] == ["a", "b"]
    assert Rule.from_dict(json.loads(json.dumps(plain))) == rule
    assert Rule.from_dict({"scorer": "sas", "threshold": 0.8}) == RULE


def test_a_rule_that_asks_for_no_nearness_is_stored_as_before_there_was_one():
    assert RULE.to_dict() == {
        "scorer": "sas",
        "threshold": 0.8,
        "min_candidates": 3,
        "bag": "default",
        "cap_per_turn": None,
        "runs": None,
        "seed": 1,
    }
    assert replace(RULE, near=0.9).to_dict() == RULE.to_dict() | {"near": 0.9}


# Nearly the same

NEAR = Rule(scorer="sas", threshold=0.8, min_candidates=1, near=0.9)
NEARLY = turn_of(
    ("a", "Tofu is made from soybeans.", 0.90),
    ("b", "Tofu is made from soy beans.", 0.95),  # stands for a's
    ("c", "tofu: MADE from soybeans", 0.5),  # has the bag of a's, whatever its score
    ("d", "Tofu is made from soya beans.", 0.7),  # near, but its score alone does not let it in
    ("e", "Tofu is not made from soybeans.", 0.85),  # near in letters only
    ("f", "Tofu is made of milk.", 0.85),
    question="What is tofu?",
    reference="A cheese.",
)


def test_of_nearly_the_same_answers_the_one_with_the_highest_score_is_asked_about():
    drawn = draw(NEAR, [NEARLY])

    assert texts(drawn) == [
        "Tofu is made from soy beans.",
        "Tofu is made of milk.",
        "Tofu is not made from soybeans.",
    ]
    assert states(drawn) == {
        "a": "represented",
        "b": "drawn",
        "c": "represented",
        "d": "below_threshold",
        "e": "drawn",
        "f": "drawn",
    }
    stands = {fate.run: fate.candidate_text for fate in drawn.fates}
    assert stands["a"] == stands["c"] == "Tofu is made from soy beans."


def test_what_is_merged_is_told_beforehand_with_what_is_kept_and_why():
    assert merges(NEAR, [NEARLY]) == (
        Merge(
            turn="1_1",
            kept="Tofu is made from soy beans.",
            kept_score=0.95,
            text="Tofu is made from soybeans.",
            score=0.9,
            nearness=54 / 55,
            why=WhyKept.HIGHER_SCORE,
        ),
    )


def test_of_equal_scores_the_first_by_text_is_kept():
    equal = numbered(("soy beans and salt", 0.9), ("soybeans and salt", 0.9))

    [merge] = merges(NEAR, [equal])

    assert (merge.kept, merge.why) == ("soy beans and salt", WhyKept.FIRST_BY_TEXT)
    assert texts(draw(NEAR, [equal])) == ["soy beans and salt"]


def test_nearly_the_same_answers_count_once_for_a_turn_and_share_one_lot():
    assert states(draw(replace(NEAR, min_candidates=4), [NEARLY]))["a"] == "too_few_in_turn"

    capped = draw(replace(NEAR, cap_per_turn=2), [NEARLY])
    assert [each.inclusion_probability for each in capped.candidates] == [2 / 3, 2 / 3]


def test_what_is_merged_is_told_of_turns_with_too_few_too_and_of_the_rules_runs_only():
    assert len(merges(replace(NEAR, min_candidates=9), [NEARLY])) == 1
    assert merges(replace(NEAR, runs=frozenset({"a", "c"})), [NEARLY]) == ()


def test_nearness_to_the_reference_or_the_question_closes_nothing():
    close = numbered(("A lion is one large cat.", 0.9))

    assert texts(draw(NEAR, [close])) == ["A lion is one large cat."]


def test_without_nearness_nothing_is_merged():
    assert merges(RULE, [NEARLY]) == ()
    assert len(draw(replace(NEAR, near=None), [NEARLY]).candidates) == 4


# Few words and few scores, so that bags, texts and scores collide all the time.
TEXTS = st.lists(
    st.sampled_from(["lion", "Lions", "cat", "cats", "not", "the", " ", "?"]), max_size=3
).map(" ".join)
SCORES = st.none() | st.sampled_from([0.1, 0.5, 0.8, 0.81, 0.9, 1.0])


@st.composite
def some_turns(draw_value):
    return [
        TurnAnswers(
            turn=f"1_{number}",
            questions=tuple(draw_value(st.lists(TEXTS, max_size=2))),
            references=tuple(draw_value(st.lists(TEXTS, max_size=2))),
            answers=tuple(
                GivenAnswer(f"r{n}", text, score)
                for n, (text, score) in enumerate(
                    draw_value(st.lists(st.tuples(TEXTS, SCORES), max_size=8))
                )
            ),
        )
        for number in range(draw_value(st.integers(1, 3)))
    ]


RULES_OF_ALL = st.builds(
    Rule,
    scorer=st.just("sas"),
    threshold=st.sampled_from([0.0, 0.5, 0.8]),
    min_candidates=st.integers(1, 3),
    bag=st.sampled_from(BAG_KINDS),
    cap_per_turn=st.none() | st.integers(1, 3),
    seed=st.integers(0, 5),
)
of_turns = st.fixed_dictionaries(
    {
        "n_turns": st.integers(1, 4),
        "strata": st.sampled_from([None, *STRATA]),
        "allocation": st.sampled_from(ALLOCATIONS),
        "prefer": st.sampled_from([None, DISAGREEMENT]),
    }
)
RULES = st.builds(lambda rule, of: replace(rule, **of), RULES_OF_ALL, st.just({}) | of_turns)


@given(RULES, some_turns(), st.randoms())
def test_the_order_of_answers_changes_nothing(rule, turns, chance):
    shuffled = [
        replace(turn, answers=tuple(chance.sample(turn.answers, len(turn.answers))))
        for turn in turns
    ]
    assert draw(rule, shuffled) == draw(rule, turns)


@given(RULES, some_turns(), st.randoms())
def test_the_order_of_turns_changes_only_the_order_of_what_comes_out(rule, turns, chance):
    drawn, shuffled = draw(rule, turns), draw(rule, chance.sample(turns, len(turns)))

    assert set(shuffled.candidates) == set(drawn.candidates)
    assert set(shuffled.fates) == set(drawn.fates)
    assert set(shuffled.conflicts) == set(drawn.conflicts)


@given(RULES, some_turns(), st.permutations([f"r{n}" for n in range(8)]))
def test_the_names_of_the_runs_change_no_candidate(rule, turns, names):
    renamed = [
        replace(turn, answers=tuple(replace(a, run=names[int(a.run[1:])]) for a in turn.answers))
        for turn in turns
    ]
    assert draw(rule, renamed).candidates == draw(rule, turns).candidates


@given(RULES, some_turns())
def test_every_answer_has_exactly_one_fate(rule, turns):
    fates = draw(rule, turns).fates

    assert [(fate.turn, fate.run) for fate in fates] == [
        (turn.turn, run) for turn in turns for run in sorted(answer.run for answer in turn.answers)
    ]


@given(RULES, some_turns())
def test_candidates_differ_from_each_other_the_references_and_the_questions(rule, turns):
    drawn = draw(rule, turns)

    for turn in turns:
        bags = [bag(c.text, rule.bag) for c in drawn.candidates if c.turn == turn.turn]
        closed = {bag(text, rule.bag) for text in (*turn.questions, *turn.references)}
        assert len(bags) == len(set(bags))
        assert not closed & set(bags)


@given(RULES, some_turns())
def test_every_candidate_was_given_by_a_run_with_its_score_above_the_threshold(rule, turns):
    given_answers = {(t.turn, a.text.strip(), a.score) for t in turns for a in t.answers}

    for candidate in draw(rule, turns).candidates:
        assert candidate.score > rule.threshold
        assert (candidate.turn, candidate.text, candidate.score) in given_answers


@given(RULES, some_turns())
def test_drawn_names_its_own_text_and_represented_a_candidate_of_its_bag(rule, turns):
    drawn = draw(rule, turns)
    candidates = {(c.turn, c.text) for c in drawn.candidates}
    given_texts = {(t.turn, a.run): a.text.strip() for t in turns for a in t.answers}

    for fate in drawn.fates:
        text = given_texts[fate.turn, fate.run]
        if fate.state not in {State.DRAWN, State.REPRESENTED}:
            assert fate.candidate_text is None
            continue
        assert (fate.turn, fate.candidate_text) in candidates
        assert bag(fate.candidate_text, rule.bag) == bag(text, rule.bag)
        assert (fate.candidate_text == text) == (fate.state == State.DRAWN)


@given(RULES, some_turns(), st.sampled_from([0.1, 0.3]))
def test_a_higher_threshold_never_adds_a_candidate(rule, turns, more):
    """Of a rule without lots: those are drawn anew from the fewer that are left."""
    low = replace(rule, cap_per_turn=None, n_turns=None, strata=None, prefer=None)
    high = replace(low, threshold=low.threshold + more)

    assert set(draw(high, turns).candidates) <= set(draw(low, turns).candidates)


@given(RULES, some_turns())
def test_turns_give_none_or_enough_and_never_more_than_the_cap(rule, turns):
    per_turn = Counter(candidate.turn for candidate in draw(rule, turns).candidates)

    floor = min(rule.min_candidates, rule.cap_per_turn or rule.min_candidates)
    assert all(n >= floor for n in per_turn.values())
    assert all(n <= (rule.cap_per_turn or n) for n in per_turn.values())


@given(RULES, some_turns())
def test_a_turn_that_is_not_drawn_gives_none_and_its_answers_say_so(rule, turns):
    whole = replace(rule, n_turns=None, strata=None, prefer=None)
    drawn, all_drawn = draw(rule, turns), draw(whole, turns)

    eligible = {candidate.turn for candidate in all_drawn.candidates}
    asked = {candidate.turn for candidate in drawn.candidates}
    assert len(asked) == min(rule.n_turns or len(eligible), len(eligible))
    for fate, before in zip(drawn.fates, all_drawn.fates, strict=True):
        of_would_be = before.state in {State.DRAWN, State.REPRESENTED, State.CAPPED}
        if fate.turn in eligible - asked and of_would_be:
            assert (fate.state, fate.candidate_text) == (State.TURN_NOT_DRAWN, None)
        else:
            assert fate == before


def four_turns():
    return [five(f"1_{number}") for number in range(1, 5)]


def test_a_candidates_chance_is_that_of_its_turn_times_that_of_its_lot():
    drawn = draw(replace(RULE, cap_per_turn=2, n_turns=1), four_turns())

    assert [each.inclusion_probability for each in drawn.candidates] == [1 / 4 * 2 / 5] * 2
    assert counts(drawn).n_turns_not_drawn == 3


def test_turns_on_which_all_runs_disagree_come_more_often_whichever_runs_are_drawn_from():
    alike = numbered(
        *(("It is a big cat.", 0.9), ("It is one big cat.", 0.9), ("A big cat it was, big.", 0.9)),
        turn="1_1",
    )
    apart = numbered(("Slate.", 0.9), ("Coal mines.", 0.9), ("Nobody.", 0.9), turn="1_2")
    rule = replace(RULE, min_candidates=1, n_turns=1, prefer=DISAGREEMENT, runs=frozenset({"r1"}))

    found = {
        candidate.turn: candidate.inclusion_probability
        for seed in range(200)
        for candidate in draw(replace(rule, seed=seed), [alike, apart]).candidates
    }

    assert found["1_2"] > 0.75
    assert found["1_1"] + found["1_2"] == pytest.approx(1)


@all_cases(
    ("wrong", "sentence"),
    [
        ({"n_turns": 0}, "n_turns is 0"),
        ({"n_turns": 1.5}, "n_turns is 1.5"),
        ({"strata": "depth"}, "say how many to draw"),
        ({"prefer": "disagreement"}, "say how many to draw"),
        ({"n_turns": 3, "strata": "colour"}, "strata is 'colour'"),
        ({"n_turns": 3, "allocation": "unfair"}, "allocation is 'unfair'"),
        ({"n_turns": 3, "prefer": "beauty"}, "prefer is 'beauty'"),
    ],
)
def test_a_rule_of_turns_that_cannot_be_meant_is_refused(wrong, sentence):
    with pytest.raises(RuleError, match=sentence):
        replace(RULE, **wrong)


def test_the_rule_of_an_older_pool_reads_as_it_did_and_one_of_turns_comes_back():
    assert RULE.to_dict().keys().isdisjoint({"n_turns", "strata", "allocation", "prefer"})
    rule = replace(RULE, n_turns=5, strata="depth", allocation="equal", prefer=DISAGREEMENT)
    assert Rule.from_dict(json.loads(json.dumps(rule.to_dict()))) == rule


def test_drawing_leaves_the_shared_random_numbers_alone():
    random.seed(5)
    before = random.getstate()
    draw(replace(RULE, cap_per_turn=1), [five("1_1")])
    assert random.getstate() == before


@pytest.mark.parametrize("was_enabled", [True, False])
def test_the_collector_is_afterwards_as_it_was(was_enabled):
    enabled_here = gc.isenabled()
    try:
        (gc.enable if was_enabled else gc.disable)()
        draw(RULE, [LIONS])
        assert gc.isenabled() == was_enabled
        with pytest.raises(AnswersError):
            draw(RULE, [LIONS, LIONS])
        assert gc.isenabled() == was_enabled
    finally:
        (gc.enable if enabled_here else gc.disable)()


def test_a_rule_that_leaves_out_what_stands_draws_the_same_without_it():
    turn = replace(LIONS, standing=frozenset({"Lions are cats.", "not an answer"}))
    rule = replace(RULE, min_candidates=2)
    whole = draw(rule, [turn])

    drawn = draw(replace(rule, leaves_out_standing=True), [turn])

    assert texts(drawn) == [text for text in texts(whole) if text != "Lions are cats."] != []
    assert states(drawn) == states(whole) | {"a": "stands", "b": "stands"}
    assert {fate.candidate_text for fate in drawn.fates if fate.state is State.STANDS} == {
        "Lions are cats."
    }


def test_the_rules_of_older_pools_keep_their_form():
    assert "leaves_out_standing" not in RULE.to_dict()
    rule = replace(RULE, leaves_out_standing=True)
    assert Rule.from_dict(rule.to_dict()) == rule
