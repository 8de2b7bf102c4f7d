"""ROUGE has the values of the package rouge-score, to the last bit."""

import random

import pytest
from hypothesis import given
from nltk.stem.porter import PorterStemmer
from rouge_score.rouge_scorer import RougeScorer

from tests.cases import all_cases
from tests.real_data import folder
from tests.scoring.texts import ANY, ODD, demo_pairs, pairs, rows
from text import rouge
from text.rouge import longest_common_subsequence, rouge_1, rouge_l, tokens

PACKAGE = RougeScorer(["rouge1", "rougeL"])
STEMMING_PACKAGE = RougeScorer(["rouge1", "rougeL"], use_stemmer=True)


def by_package(prediction, reference, package=PACKAGE):
    scores = package.score(reference, prediction)
    return tuple(scores["rouge1"]), tuple(scores["rougeL"])


def our_scores(prediction, reference, stem=None):
    return rouge_1(prediction, reference, stem), rouge_l(prediction, reference, stem)


def test_tokens_are_runs_of_ascii_letters_and_digits():
    assert tokens("The cat's 2nd Öl-can") == b"the cat s 2nd l can".split()


def test_rouge_1_is_the_multiset_overlap_against_either_length():
    # Both have "the" and "cat" once at least: 2 of 3 and 2 of 5, 2·(2/3)·(2/5) / (2/3 + 2/5) = 1/2.
    assert rouge_1("the cat sat", "the cat is the cat") == pytest.approx((2 / 3, 2 / 5, 1 / 2))


def test_rouge_1_counts_a_repeated_token_as_often_as_both_have_it():
    assert rouge_1("no no no yes", "no no maybe yes yes") == pytest.approx((3 / 4, 3 / 5, 2 / 3))


def test_rouge_l_minds_the_order_and_skips_what_stands_between():
    assert rouge_l("the cat sat", "sat the fat cat") == pytest.approx((2 / 3, 2 / 4, 4 / 7))


def test_rouge_l_has_the_values_of_lins_paper():
    # Lin 2004, section 3.1: three words of four are common in order, then two of four.
    reference = "police killed the gunman"
    assert rouge_l("police kill the gunman", reference).f1 == 0.75
    assert rouge_l("the gunman kill police", reference).f1 == 0.5


@all_cases("measure", [rouge_1, rouge_l])
@all_cases("nothing", ["", " \n", "!?", "\u732b", "\ud800"])
def test_a_text_without_a_token_has_0_against_anything(measure, nothing):
    assert measure(nothing, nothing) == (0, 0, 0)
    assert measure(nothing, "cat") == measure("cat", nothing) == (0, 0, 0)


@given(ODD, ODD)
def test_odd_texts_have_the_values_of_the_package(prediction, reference):
    assert our_scores(prediction, reference) == by_package(prediction, reference)


@given(ANY, ANY)
def test_any_unicode_has_the_values_of_the_package(prediction, reference):
    assert our_scores(prediction, reference) == by_package(prediction, reference)


def test_two_thousand_made_up_pairs_have_the_values_of_the_package():
    drawn = pairs(2_000, seed=1)

    assert [pair for pair in drawn if our_scores(*pair) != by_package(*pair)] == []


def test_the_demonstrations_answers_have_the_values_of_the_package():
    drawn = demo_pairs()

    assert len(drawn) > 100
    assert [pair for pair in drawn if our_scores(*pair) != by_package(*pair)] == []


@pytest.mark.real_data
def test_four_thousand_real_pairs_have_the_values_of_the_package():
    path = folder() / "scai-qrecc" / "gpt3-run-full.json"
    texts = [row["Model_answer"] for row in rows(path)][:4_000]
    drawn = list(zip(texts, random.Random(1).sample(texts, len(texts)), strict=True))

    assert [pair for pair in drawn if our_scores(*pair) != by_package(*pair)] == []


def test_stemming_with_the_packages_stemmer_has_the_values_of_the_package():
    stem = PorterStemmer().stem
    drawn = [*pairs(300, seed=2), *demo_pairs()]

    assert our_scores("running cats", "run cat", stem)[0].f1 == 1
    assert [
        pair for pair in drawn if our_scores(*pair, stem) != by_package(*pair, STEMMING_PACKAGE)
    ] == []


def test_a_passage_too_long_to_be_remembered_is_read_like_any_other():
    passage = " ".join(f"w{number % 700}" for number in range(3_000))
    answer = "w5 w6 nothing w9 w2"

    assert len(passage) > rouge.LONGEST_REMEMBERED
    assert our_scores(answer, passage) == by_package(answer, passage)
    assert rouge.rouge_l_precision(answer, passage) == 4 / 5


@given(ODD, ODD)
def test_a_common_subsequence_is_no_longer_than_the_overlap_and_sees_no_side(one, other):
    first, second = tokens(one), tokens(other)

    n_common = longest_common_subsequence(first, second)

    assert n_common == longest_common_subsequence(second, first)
    assert rouge_l(one, other).f1 <= rouge_1(one, other).f1
    assert n_common == len(first) if first == second else n_common <= min(len(first), len(second))


def test_what_was_measured_before_changes_no_value():
    rouge._cached_tokens.cache_clear()
    rouge._shared.cache_clear()
    drawn = pairs(20, seed=3)

    assert [our_scores(*pair) for pair in drawn] == [our_scores(*pair) for pair in reversed(drawn)][
        ::-1
    ]


def test_the_named_measures_are_the_parts_of_the_figures():
    said, expected = "the cat sat", "the cat is the cat"

    assert rouge.rouge_1_precision(said, expected) == 2 / 3
    assert rouge.rouge_1_recall(said, expected) == 2 / 5
    assert rouge.rouge_1_f1(said, expected) == rouge_1(said, expected).f1
    assert rouge.rouge_l_f1(said, expected) == rouge_l(said, expected).f1
    assert rouge.rouge_l_precision(said, expected) == 2 / 3
