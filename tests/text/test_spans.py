import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.volume import texts
from tests.cases import all_cases
from tests.real_data import folder
from tests.text import qrecc_heuristic
from text import spans
from text.overlap import token_f1
from text.segmentation import located_segments, searched_words
from text.spans import PreparedPassage, Span, best_span, best_span_in, prepare_passage

FEW_WORDS = st.lists(st.sampled_from(["x", "y", "z", "w", "the", "--"]), max_size=14).map(" ".join)
TRICKY = st.text(st.sampled_from("xyXY aTthHe.,—'İß\n漢"), max_size=40)


def by_brute_force(passage: str, answer: str) -> Span | None:
    """All windows, in the order of the tie rule; scores compared in integers."""
    words, places = located_segments(passage)
    wanted = Counter(searched_words(answer))
    best, best_shared, best_total = None, 0, 1
    for first in range(len(words)):
        for last in range(first, len(words)):
            window = Counter(words[first : last + 1])
            shared, total = (window & wanted).total(), window.total() + wanted.total()
            if shared * best_total > best_shared * total:
                best_shared, best_total = shared, total
                best = Span(places[first][0], places[last][1], 2 * shared / total)
    return best


@given(FEW_WORDS, FEW_WORDS)
def test_the_span_is_the_best_of_all_windows_where_words_repeat(passage, answer):
    assert best_span(passage, answer) == by_brute_force(passage, answer)


@given(TRICKY, TRICKY)
def test_the_span_is_the_best_of_all_windows_in_tricky_text(passage, answer):
    assert best_span(passage, answer) == by_brute_force(passage, answer)


def test_the_span_is_the_best_of_all_windows_in_thousands_of_random_passages():
    rng = random.Random(20211008)
    for _ in range(2000):
        vocabulary = "uvwxyz"[: rng.randint(1, 6)]
        passage = " ".join(rng.choices(vocabulary + "......", k=rng.randint(0, 24)))
        passage = passage.replace(".", "other")
        answer = " ".join(rng.choices(vocabulary + "q", k=rng.randint(1, 9)))
        assert best_span(passage, answer) == by_brute_force(passage, answer)


@pytest.fixture
def only_by_bisection(monkeypatch):
    monkeypatch.setattr(spans, "MOST_STEPS", -1)


@pytest.mark.usefixtures("only_by_bisection")
def test_the_search_of_long_texts_finds_the_best_of_all_windows_too():
    rng = random.Random(20261123)
    for _ in range(1000):
        vocabulary = "uvwxyz"[: rng.randint(1, 6)]
        passage = " ".join(rng.choices(vocabulary + "ooo", k=rng.randint(0, 24)))
        answer = " ".join(rng.choices(vocabulary + "q", k=rng.randint(1, 15)))
        assert best_span(passage, answer) == by_brute_force(passage, answer)


class CountedWord(str):
    """A word that counts how often it is looked up."""

    __slots__ = ()
    n_looked_up = 0

    def __hash__(self) -> int:
        CountedWord.n_looked_up += 1
        return super().__hash__()


def n_looked_up(n_words: int) -> int:
    """Return how often a search looks words up where passage and answer are chance."""
    rng = random.Random(n_words)
    words = [f"w{rng.randrange(500)}" for _ in range(n_words)]
    answer = " ".join(f"w{rng.randrange(500)}" for _ in range(n_words))
    prepared = prepare_passage(" ".join(words))
    before = CountedWord.n_looked_up
    best_span_in(PreparedPassage([*map(CountedWord, prepared.words)], prepared.places), answer)
    return CountedWord.n_looked_up - before


def test_a_long_passage_is_searched_for_a_long_answer_in_steps_that_hardly_grow_faster_than_both():
    assert n_looked_up(8000) < 6 * n_looked_up(2000)


@given(FEW_WORDS, FEW_WORDS)
def test_what_a_span_holds_scores_what_the_span_says(passage, answer):
    span = best_span(passage, answer)

    if span is not None:
        assert token_f1(passage[span.start : span.end], answer) == span.f1


def test_a_span_holds_the_punctuation_of_its_words_and_does_not_count_it():
    assert best_span("It was a cold, wet day.", "the cold day") == Span(9, 23, 0.8)


def test_a_verbatim_occurrence_on_token_boundaries_scores_one():
    passage = "In 2015 it snowed. In 2016 it rained a lot."

    assert best_span(passage, "in 2016 it rained") == Span(19, 36, 1.0)


def test_a_verbatim_occurrence_inside_a_word_is_no_evidence():
    assert best_span("It happened in 2015.", "1") is None


def test_of_equal_windows_the_first_start_wins():
    assert best_span("y x y x", "x") == Span(2, 3, 1.0)


def test_of_equal_windows_the_first_start_wins_though_a_later_one_is_shorter():
    # 4 of 10 words and 2 of 3: 2·4 / (10 + 4) and 2·2 / (3 + 4) are both 4/7.
    spread, close = "x o o y o o p o o q", "x o y"

    assert best_span(f"{spread}{' o' * 20} {close}", "x y p q") == Span(0, len(spread), 4 / 7)
    assert best_span(f"{close}{' o' * 20} {spread}", "x y p q") == Span(0, len(close), 4 / 7)


def test_of_equal_windows_from_one_start_the_first_end_wins():
    # 2·1 / (1 + 2) for `x` and 2·2 / (4 + 2) for all four words.
    assert best_span("x o o y", "x y") == Span(0, 1, 2 / 3)


@all_cases(
    ("passage", "answer"),
    [("", "x"), ("x", ""), ("", ""), ("the a", "the"), ("x y", "the"), ("...", "..."), ("x", "y")],
)
def test_there_is_no_span_where_no_token_is_shared(passage, answer):
    assert best_span(passage, answer) is None


def test_a_prepared_passage_gives_every_answer_its_own_span():
    passage = "Tofu is made of soy. Soy is a bean."
    prepared = prepare_passage(passage)

    for answer in ("soy", "soy is a bean", "what is tofu made of", "nothing else"):
        assert best_span_in(prepared, answer) == best_span(passage, answer)


@pytest.mark.real_data
def test_real_spans_are_the_best_of_all_windows():
    rng = random.Random(1)
    short = [one for one in texts.real(folder()) if len(one.passage.split()) < 150]
    for one in rng.sample(short, 6):
        answer = rng.choice(one.answers)
        assert best_span(one.passage, answer) == by_brute_force(one.passage, answer)


@pytest.mark.real_data
def test_real_spans_are_never_below_the_heuristic_but_for_parts_of_words():
    rng = random.Random(2)
    for one in rng.sample(texts.real(folder()), 25):
        answer = rng.choice(one.answers)
        span = best_span(one.passage, answer)
        assert (span.f1 if span else 0.0) >= qrecc_heuristic.best_f1(one.passage, answer)
