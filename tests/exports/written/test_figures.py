"""Counts and agreement of written answers, with values computed by hand from the world in rounds.py."""

from dataclasses import replace

import pytest

from exports.written import figures as written_figures
from exports.written import queries
from exports.written.answers import Pair
from exports.written.presenter import pair_shown
from stats.bootstrap_settings import Bootstrap
from tests.exports.written.made_answers import answer

FEW = Bootstrap(replicates=1_000, seed=0)  # the least


@pytest.fixture
def found(lights):
    return queries.written(lights, queries.counted_batches(lights))


def test_counts_say_what_came_of_both_rounds(found):
    assert written_figures.counts(found) == {
        "n_answers": 12,
        "n_people": 2,
        "n_questions": 7,
        "n_by_several": 5,
        "n_by_one": 1,
        "n_only_skipped": 1,
        "round_1": {"n": 8, "answered": 6, "unanswerable": 1, "skip": 1},
        "round_2": {"n": 4, "answered": 2, "unanswerable": 1, "skip": 1},
        "n_kept": 2,
        "n_differing": 1,
        "n_without_first": 0,
    }


def test_agreement_is_of_the_pairs_that_differ_and_of_all_with_kept_ones_as_1(found):
    """One pair differs: 3 tokens against 5, all 3 common in order, and sentences 2, 5 against 2, 3, 5 of six."""
    agreement = written_figures.figures(found, FEW)["agreement"]
    differing, everything = agreement["differing"], agreement["all"]

    assert (differing["n_pairs"], differing["n_same_sentences"], differing["raw"]["n"]) == (1, 0, 6)
    assert differing["rouge_l"]["value"] == pytest.approx(2 * 1 * 0.6 / 1.6)
    assert differing["sentence_f1"]["value"] == pytest.approx(2 * 2 / 5)
    assert differing["raw"]["value"] == pytest.approx(5 / 6)
    assert differing["alpha"]["value"] == pytest.approx(1 - 11 * 1 / (5 * 7))
    assert differing["rouge_l"]["interval"]["reason"] == "a single question"
    assert everything["n_pairs"] == 3  # the one that was skipped is none
    assert everything["rouge_l"]["value"] == pytest.approx((1 + 0.75 + 1) / 3)
    assert everything["sentence_f1"]["value"] == pytest.approx((1 + 0.8 + 1) / 3)


def test_people_who_wrote_to_the_same_questions_are_compared_with_one_another(found):
    (pilot,) = written_figures.figures(found, FEW)["together"]

    assert (pilot["batch"], pilot["n_questions"]) == ("pilot", 1)
    assert [each["rouge_l"]["value"] for each in pilot["people"]] == [1.0, 1.0]
    assert pilot["alpha"]["value"] == 1.0


def pair(one, other):
    first = answer(one, 1)
    return Pair(first, answer(other, 1, n=2, person="A2", round=2))


def test_a_text_that_rouge_cannot_read_is_left_out_and_counted():
    unreadable = [pair("اللون أزرق", "أزرق")]
    found = written_figures.agreement(unreadable, FEW)["differing"]

    assert (found["n_pairs"], found["n_unreadable"]) == (1, 1)
    assert found["rouge_l"]["value"] is None
    assert written_figures.listed_pairs(unreadable)[0]["rouge_l"] is None


def test_an_answer_and_none_have_nothing_in_common():
    found = written_figures.agreement([pair("It is blue.", "")], FEW)["differing"]

    assert (found["n_unreadable"], found["rouge_l"]["value"]) == (0, 0.0)


def test_pairs_of_one_question_are_counted_as_one_question():
    """Two questions with two pairs each, alike within: a t interval of 1 degree of freedom, as over two values."""
    made = [("It is blue.", "It is red."), ("It is blue.", "It is blue.")]
    pairs = [
        Pair(replace(first, turn_id=turn), replace(second, turn_id=turn, judgement=n))
        for n, (turn, texts) in enumerate(
            [("1", made[0]), ("1", made[0]), ("2", made[1]), ("2", made[1])]
        )
        for first, second in [(pair(*texts).first, pair(*texts).second)]
    ]
    found = written_figures.agreement(pairs, FEW)["all"]
    alone = written_figures.agreement(pairs[::2], FEW)["all"]

    assert found["n_pairs"] == 4
    for key in ("rouge_l", "sentence_f1"):
        assert found[key]["n"] == 2
        assert found[key] == alone[key]


def test_without_pairs_every_figure_is_undefined_with_a_reason():
    nothing = written_figures.agreement([], FEW)["all"]

    for key in ("rouge_l", "rouge_l_stemmed", "alpha", "raw", "sentence_f1"):
        assert nothing[key]["value"] is None
        assert nothing[key]["reason"]


def test_stems_make_forms_of_a_word_one():
    found = written_figures.agreement([pair("keepers answering", "keeper answers")], FEW)

    assert found["differing"]["rouge_l"]["value"] == 0.0
    assert found["differing"]["rouge_l_stemmed"]["value"] == 1.0


def test_each_side_marks_what_the_other_has_not():
    first, second = (
        answer("It burnt oil.\nIn 1702.", 1, 2),
        answer("It burnt gas.\nIn 1702.", 0, 2, n=2),
    )
    shown = pair_shown(first, second, {"rouge_l": 0.5, "sentence_f1": 0.5})

    marked = [
        [piece.text for line in side.lines for piece in line if piece.change != "none"]
        for side in shown.sides
    ]
    assert marked == [["oil."], ["gas."]]
    assert [side.only_in_words for side in shown.sides] == ["1", "the title"]
    assert shown.both_in_words == "2"
