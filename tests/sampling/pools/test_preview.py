"""A turn as a rule would draw it: each text once, with the runs that gave it and its fate."""

from dataclasses import replace

from sampling.pools.draws import draw
from sampling.pools.preview import preview_turns
from sampling.pools.rule import Rule
from sampling.pools.selection import GivenAnswer, State, TurnAnswers

RULE = Rule(scorer="sas", threshold=0.5, min_candidates=1)
TURN = TurnAnswers(
    "1_1",
    ("And who?", "Who built it?"),
    ("The keeper.", " "),
    (
        GivenAnswer("cedar", " A mason. ", 0.8),
        GivenAnswer("alder", "A mason.", 0.8),
        GivenAnswer("birch", "a MASON", 0.3),
        GivenAnswer("dogwood", "Nobody", 0.2),
        GivenAnswer("echo", "", None),
        GivenAnswer("fir", "Two smiths", 0.9),
    ),
)


def previewed_turn(state=State.DRAWN, rule=RULE):
    (turn,) = preview_turns(rule, [TURN], draw(rule, [TURN]), state)
    return turn


def answer_rows(answers):
    return [(each.text, each.state.value, each.score, each.runs) for each in answers]


def test_what_is_asked_for_comes_first_and_all_else_behind_it():
    turn = previewed_turn()

    assert answer_rows(turn.asked) == [
        ("Two smiths", "drawn", 0.9, ("fir",)),
        ("A mason.", "drawn", 0.8, ("alder", "cedar")),
    ]
    assert answer_rows(turn.others) == [
        ("a MASON", "represented", 0.3, ("birch",)),
        ("Nobody", "below_threshold", 0.2, ("dogwood",)),
        ("", "empty", None, ("echo",)),
    ]


def test_the_question_stands_alone_and_blank_references_are_left_out():
    turn = previewed_turn()

    assert (turn.question, turn.references) == ("Who built it?", ("The keeper.",))


def test_what_is_represented_says_by_what():
    (answer,) = previewed_turn(State.REPRESENTED).asked

    assert answer.stands_for_it == "A mason."


def test_runs_that_are_not_drawn_from_are_not_seen():
    turn = previewed_turn(rule=replace(RULE, runs=frozenset({"fir"})))

    assert answer_rows((*turn.asked, *turn.others)) == [("Two smiths", "drawn", 0.9, ("fir",))]


def test_turns_come_as_they_were_given():
    other = replace(TURN, turn="0_1")

    found = preview_turns(RULE, [TURN, other], draw(RULE, [other, TURN]), State.DRAWN)

    assert [turn.turn for turn in found] == ["1_1", "0_1"]
