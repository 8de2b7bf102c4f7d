"""How an answer of a run that came later stands to what a pool asks about."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampling.pools.late_answers import AskedTurn, Standing, standing
from sampling.pools.rule import Rule
from tests.cases import all_cases
from text.bags import bag

RULE = Rule(scorer="paper", threshold=0.8)
TURN = AskedTurn(
    references=["The dark stone."], candidates=["A tablet to test gold.", "Slate of 1914"]
)


@all_cases(
    ("text", "found"),
    [
        ("", Standing.EMPTY),
        ("a dark stone", Standing.REFERENCE),
        ("stone dark", Standing.NEW),
        ("A tablet to test gold.", Standing.EXACT),
        ("a tablet to test gold", Standing.SAME_BAG),
        ("gold: a tablet to TEST", Standing.SAME_BAG),
        ("A tablett to test gold.", Standing.NEW),
        ("Basalt.", Standing.NEW),
    ],
)
def test_an_answer_stands_as_the_first_that_holds(text, found):
    assert standing(text, TURN, RULE) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A tablett to test gold.", Standing.NEAR),
        ("a tablet to test gold", Standing.SAME_BAG),
        ("Slate of 1915", Standing.NEW),
    ],
)
def test_near_answers_are_told_apart_where_the_pool_merges_them(text, found):
    assert standing(text, TURN, replace(RULE, near=0.9)) == found


def test_by_the_bags_of_the_paper_other_words_are_the_same():
    turn = AskedTurn(candidates=["It is legal"])

    assert standing("It is not legal", turn, RULE) == Standing.NEW
    assert standing("It is not legal", turn, replace(RULE, bag="paper")) == Standing.SAME_BAG


def test_a_turn_without_candidates_is_not_asked():
    turn = AskedTurn(references=["The dark stone."])

    assert standing("Basalt.", turn, RULE) == Standing.TURN_NOT_ASKED
    assert standing("A dark stone", turn, RULE) == Standing.REFERENCE
    assert standing("Basalt.", AskedTurn(), RULE) == Standing.TURN_NOT_ASKED


WORDS = st.lists(st.sampled_from(["gold", "Gold.", "slate", "not", "1914"]), max_size=3)
TEXTS = WORDS.map(" ".join)


@given(TEXTS, st.sets(TEXTS.filter(bool)), st.sets(TEXTS.filter(bool), max_size=1))
def test_only_the_very_text_of_a_candidate_is_exact(text, candidates, references):
    found = standing(text, AskedTurn(references, candidates), RULE)

    if found == Standing.EXACT:
        assert text in candidates
    if found == Standing.SAME_BAG:
        assert text not in candidates
        assert any(bag(text) == bag(each) for each in candidates)
    if found in (Standing.NEW, Standing.TURN_NOT_ASKED):
        assert all(bag(text) != bag(each) for each in candidates)
        assert (found == Standing.NEW) == bool(candidates)
