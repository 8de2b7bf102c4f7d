from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampling.evidence.search import Quote, Sentence, Source, cap, find, keep_similar

CATS = Source("cats", "Cats purr all day. A cat eats mice and sleeps. Buy our shoes.")
MICE = Source("mice", "Shoes are cheap. Mice are eaten by the cat. The end.")


def sentence(
    text: str,
    *,
    sas: float | None = None,
    f1: float = 0.5,
    start: int = 0,
    citations: tuple[int, ...] = (),
) -> Sentence:
    return Sentence("d", start, start + len(text), text, (("a", f1),), sas, citations)


def quoting(source: Source, *quotes: tuple[int, str, str]) -> Source:
    """The source with quotes given as (citation, answer, text)."""
    return replace(
        source,
        quotes=tuple(
            Quote(citation, answer, source.text.index(text), source.text.index(text) + len(text))
            for citation, answer, text in quotes
        ),
    )


def test_the_sentence_around_the_best_span_is_found_with_its_place():
    [found] = find([CATS], {"run": "the cat eats mice"})

    assert found.text == "A cat eats mice and sleeps."
    assert CATS.text[found.start : found.end] == found.text
    assert (found.docid, found.sas) == ("cats", None)
    assert found.matches == (("run", 1.0),)


def test_a_span_counts_only_strictly_over_the_threshold():
    # `cat` of the four words `cat x y z`: 2·1 / (1 + 4).
    answers = {"run": "cat x y z"}

    assert find([CATS], answers, threshold=0.4) == []
    assert len(find([CATS], answers, threshold=0.39)) == 1


def test_a_sentence_lists_the_answers_it_was_found_for_sorted():
    [found] = find([CATS], {"z": "cat eats mice", "b": "cat eats mice and sleeps"})

    assert found.matches == (("b", 1.0), ("z", 1.0))


def test_a_span_over_two_sentences_gives_both():
    found = find([CATS], {"run": "purr all day cat eats"})

    assert [each.text for each in found] == ["Cats purr all day.", "A cat eats mice and sleeps."]


def test_passages_come_in_the_given_order_and_sentences_in_that_of_the_text():
    answers = {"run": "cat eats mice", "other": "shoes"}

    found = find([MICE, CATS], answers)

    assert [each.docid for each in found] == ["mice", "mice", "cats", "cats"]
    assert found[0].start < found[1].start
    assert found[2].start < found[3].start


def test_the_order_of_answers_changes_nothing():
    answers = {"run": "cat eats mice", "other": "shoes are cheap", "third": "purr all day"}

    assert find([CATS, MICE], answers) == find([CATS, MICE], dict(reversed(answers.items())))


def test_a_text_that_comes_again_is_kept_where_it_comes_first_with_the_answers_of_both():
    long = Source("long", "Soy beans. Tofu is  made of soy.")
    again = Source("again", "Tofu is made of soy. More.")

    found = find([long, again], {"a": "tofu is made of soy", "b": "made of"})

    assert [(each.docid, each.text) for each in found] == [("long", "Tofu is  made of soy.")]
    assert found[0].matches == (("a", 1.0), ("b", 1.0))


def test_a_text_that_comes_again_keeps_the_higher_match():
    across = Source("across", "Tofu is made of soy. Beans.")
    within = Source("within", "Tofu is made of soy. More.")
    answers = {"a": "tofu is made of soy beans"}

    for sources in ([across, within], [within, across]):
        [match] = [each.matches for each in find(sources, answers) if "Tofu" in each.text]
        assert match == (("a", 1.0),)


def test_pieces_of_one_passage_that_overlap_become_one():
    menu = " ".join(f"item{n}" for n in range(200))
    answers = {"a": "item50 item51", "b": "item60 item61"}

    [found] = find([Source("menu", menu)], answers)

    assert found.text.split()[0] == "item40"
    assert found.text.split()[-1] == "item71"
    assert found.matches == (("a", 1.0), ("b", 1.0))


def test_a_piece_within_another_is_no_piece_of_its_own():
    menu = " ".join(f"item{n}" for n in range(200))
    answers = {"a": " ".join(f"item{n}" for n in range(50, 71)), "b": "item60 item61"}

    [found] = find([Source("menu", menu)], answers)

    assert found.text.split()[0] == "item40"
    assert found.text.split()[-1] == "item80"


def test_pieces_of_one_passage_that_lie_apart_stay_apart():
    menu = " ".join(f"item{n}" for n in range(200))
    answers = {"a": "item50 item51", "b": "item150 item151"}

    assert [each.matches for each in find([Source("menu", menu)], answers)] == [
        (("a", 1.0),),
        (("b", 1.0),),
    ]


@pytest.mark.parametrize("answers", [{}, {"run": ""}, {"run": "the"}, {"run": "quantum"}])
def test_nothing_is_found_where_no_answer_shares_a_token(answers):
    assert find([CATS, MICE], answers) == []


def test_nothing_is_found_without_passages():
    assert find([], {"run": "cat"}) == []


def test_similarity_to_any_answer_keeps_a_sentence_and_the_highest_is_recorded():
    found = [sentence("near"), sentence("far")]
    similarity = {("near", "a"): 0.7, ("near", "b"): 0.2, ("far", "a"): 0.3, ("far", "b"): 0.1}

    assert keep_similar(found, similarity, threshold=0.5) == [replace(found[0], sas=0.7)]


def test_similarity_must_be_strictly_over_the_threshold():
    assert keep_similar([sentence("s")], {("s", "a"): 0.62}, threshold=0.62) == []


def test_a_negative_similarity_is_recorded_as_it_is():
    [kept] = keep_similar([sentence("s")], {("s", "a"): -0.2, ("s", "b"): -0.1}, threshold=-1)

    assert kept.sas == -0.1


def test_a_sentence_without_any_similarity_is_an_error():
    with pytest.raises(KeyError):
        keep_similar([sentence("s")], {}, threshold=0.5)


def test_the_cap_keeps_the_most_similar_in_passage_order():
    found = [
        sentence("one two", sas=0.7),
        sentence("three four", sas=0.9),
        sentence("five six", sas=0.8),
    ]

    assert cap(found, 4) == [found[1], found[2]]


def test_of_equally_similar_ones_the_cap_keeps_the_better_match_then_the_earlier():
    found = [
        sentence("one two", f1=0.4),
        sentence("three four", f1=0.6),
        sentence("five six", f1=0.4),
    ]

    assert cap(found, 4) == [found[0], found[1]]


def test_a_sentence_of_unknown_similarity_comes_after_all_others():
    found = [sentence("unknown"), sentence("known", sas=-0.1)]

    assert cap(found, 1) == [found[1]]


def test_a_sentence_that_no_longer_fits_is_passed_over_for_a_shorter_one():
    found = [
        sentence("one two", sas=0.9),
        sentence("three four five", sas=0.8),
        sentence("six", sas=0.7),
    ]

    assert cap(found, 3) == [found[0], found[2]]


def test_a_single_sentence_over_the_cap_is_shown_alone():
    found = [sentence("one", sas=0.7), sentence("two three four", sas=0.9)]

    assert cap(found, 2) == [found[1]]


# What a run quotes


def test_a_quote_is_evidence_whatever_it_shares_with_the_answer():
    cats = quoting(CATS, (7, "run", "Buy our shoes"))

    [found] = find([cats], {"run": "quantum"})

    assert (found.text, found.citations) == ("Buy our shoes.", (7,))
    assert found.matches == (("run", 0.0),)


def test_a_quote_of_two_sentences_makes_both_cited_and_no_other():
    cats = quoting(CATS, (7, "run", "all day. A cat"))

    found = find([cats], {"run": "quantum", "other": "our shoes"})

    assert [(each.text, each.citations) for each in found] == [
        ("Cats purr all day.", (7,)),
        ("A cat eats mice and sleeps.", (7,)),
        ("Buy our shoes.", ()),
    ]


def test_what_overlaps_and_is_quoted_too_is_one_sentence_with_the_higher_match():
    cats = quoting(CATS, (9, "b", "A cat eats mice"), (7, "a", "and sleeps"))

    [found] = find([cats], {"a": "the cat eats mice", "b": "quantum"})

    assert found.citations == (7, 9)
    assert found.matches == (("a", 1.0), ("b", 0.0))


def test_a_quote_counts_with_its_own_words():
    cats = quoting(CATS, (7, "run", "A cat eats mice"))

    # `cat eats` of the quote's three words and of the answer's four: 2·2 / (3 + 4).
    [found] = find([cats], {"run": "cat eats red meat"}, threshold=0.99)

    assert found.matches == (("run", 4 / 7),)


@pytest.mark.parametrize("cited_first", [True, False])
def test_a_quoted_text_that_comes_again_stays_quoted_where_it_is_kept(cited_first):
    cited = quoting(Source("b", CATS.text), (7, "run", "A cat eats mice"))
    sources = [cited, CATS] if cited_first else [CATS, cited]

    [found] = find(sources, {"run": "cat eats mice"})

    assert (found.docid, found.citations) == (sources[0].docid, (7,))


def test_a_quote_for_an_answer_that_is_not_there_is_an_error():
    with pytest.raises(KeyError):
        find([quoting(CATS, (7, "gone", "A cat"))], {"run": "cat"})


def test_a_quote_is_kept_however_little_it_is_like_the_answers():
    found = [sentence("quoted", citations=(7,)), sentence("not")]
    similarity = {("quoted", "a"): 0.1, ("not", "a"): 0.1}

    assert keep_similar(found, similarity, threshold=0.5) == [replace(found[0], sas=0.1)]


def test_the_cap_shows_quotes_first_until_half_of_it_is_theirs():
    found = [
        sentence("one two", sas=0.1, citations=(1,)),
        sentence("three four", sas=0.2, citations=(2,)),
        sentence("five six", sas=0.9),
        sentence("seven eight", sas=0.8),
    ]

    assert cap(found, 2) == [found[1]]
    assert cap(found, 4) == [found[1], found[2]]
    assert cap(found, 6) == [found[0], found[1], found[2]]
    assert cap(found, 8) == found


def test_a_quote_that_does_not_fit_gives_way():
    found = [sentence("one two three", sas=0.1, citations=(1,)), sentence("four", sas=0.9)]

    assert cap(found, 2) == [found[1]]


def test_the_cap_counts_characters_where_there_are_no_spaces():
    found = [sentence("试金石。", sas=0.9), sentence("黄金。", sas=0.8), sentence("one", sas=0.7)]

    assert cap(found, 3) == [found[0]]
    assert cap(found, 5) == [found[0], found[1]]


def test_no_evidence_stays_no_evidence():
    assert cap([], 10) == []
    assert keep_similar([], {}, threshold=0.5) == []


@given(
    st.lists(st.tuples(st.integers(1, 5), st.floats(0, 1) | st.none()), max_size=8),
    st.integers(1, 12),
)
def test_the_cap_holds_keeps_the_order_and_never_empties(drawn, max_words):
    found = [
        sentence("w " * n_words, sas=sas, start=100 * at) for at, (n_words, sas) in enumerate(drawn)
    ]

    kept = cap(found, max_words)

    assert [each for each in found if each in kept] == kept
    assert bool(kept) == bool(found)
    assert len(kept) == 1 or sum(len(each.text.split()) for each in kept) <= max_words
