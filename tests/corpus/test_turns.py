import pytest

from tests.factories import TurnFactory


@pytest.mark.parametrize("blank", ["", "   ", "\n\t", "\u00a0"])
def test_a_blank_wording_hides_no_question(blank):
    asked = TurnFactory.build(question="And its colour?", rewrite=blank)
    rewritten = TurnFactory.build(question=blank, rewrite="What colour is slate?")

    assert (asked.standalone, asked.wordings) == ("And its colour?", ("And its colour?",))
    assert rewritten.standalone == "What colour is slate?"
    assert rewritten.wordings == ("What colour is slate?",)


def test_the_rewrite_stands_alone_where_both_say_something():
    turn = TurnFactory.build(question="And its colour?", rewrite="What colour is slate?")

    assert turn.standalone == "What colour is slate?"
    assert turn.wordings == ("And its colour?", "What colour is slate?")


@pytest.mark.django_db
def test_a_turn_that_asks_nothing_stands_for_nothing():
    assert TurnFactory(question=" ", rewrite="").standalone == ""
