"""Which sentences of evidence are asked about: those that equal nothing known, nearest first."""

from hypothesis import given
from hypothesis import strategies as st

from sampling.evidence.extraction import EvidenceSentence, extract, wording

TURNS = st.sampled_from(["1_1", "1_2"])
# Few words and much white space, so that texts are often equal.
TEXTS = st.lists(st.sampled_from(["Gold", "is", "dark.", " ", "\n", "\t"]), max_size=5).map(
    " ".join
)
SCORES = st.floats(-1, 1, allow_nan=False)
SENTENCES = st.lists(
    st.builds(
        EvidenceSentence,
        turn=TURNS,
        docid=st.sampled_from(["a", "b"]),
        text=TEXTS,
        position=st.integers(1, 9),
        f1=st.floats(0, 1),
        sas=st.none() | SCORES,
    ),
    max_size=12,
)
KNOWN = st.dictionaries(TURNS, st.lists(TEXTS, max_size=3))


def sentence(text, *, turn="1_1", position=1, f1=0.5, sas=None):
    return EvidenceSentence(turn, "touch", text, position, f1, sas)


def texts(extraction):
    return {turn: [each.text for each in found] for turn, found in extraction.by_turn.items()}


@given(SENTENCES, KNOWN)
def test_no_sentence_equals_a_candidate_of_its_turn_or_another_sentence(sentences, known):
    found = extract(sentences, known)

    for turn, of_turn in found.by_turn.items():
        taken = [wording(each.text) for each in of_turn]
        assert "" not in taken
        assert len(set(taken)) == len(taken)
        assert not set(taken) & {wording(text) for text in known.get(turn, ())}


@given(SENTENCES, KNOWN)
def test_every_other_sentence_is_taken_in_its_words(sentences, known):
    found = extract(sentences, known)

    taken = {(each.turn, wording(each.text)) for of in found.by_turn.values() for each in of}
    given_texts = {(each.turn, wording(each.text)) for each in sentences if wording(each.text)}
    asked = {(turn, wording(text)) for turn, of in known.items() for text in of}
    assert taken == given_texts - asked
    assert found.n_sentences + found.n_equal == len(sentences)


@given(SENTENCES, KNOWN, st.integers(1, 3))
def test_a_limit_leaves_out_what_is_farther_and_counts_it(sentences, known, most):
    every, some = extract(sentences, known), extract(sentences, known, most=most)

    assert texts(some) == {turn: found[:most] for turn, found in texts(every).items()}
    assert some.n_beyond == every.n_sentences - some.n_sentences
    assert [len(rank) for rank in some.ranks()] == sorted(
        (len(rank) for rank in some.ranks()), reverse=True
    )


@given(SENTENCES, KNOWN, st.randoms())
def test_the_order_of_equal_sentences_alone_can_depend_on_that_of_the_input(
    sentences, known, shuffle
):
    shuffled = list(sentences)
    shuffle.shuffle(shuffled)

    def words(extraction):
        return {turn: {wording(text) for text in of} for turn, of in texts(extraction).items()}

    assert words(extract(shuffled, known)) == words(extract(sentences, known))


def test_the_nearest_comes_first_by_sas_then_f1_then_place():
    found = extract(
        [
            sentence("Third.", position=2, f1=0.4, sas=0.7),
            sentence("Fourth.", position=1, f1=0.9),
            sentence("Second.", position=1, f1=0.4, sas=0.7),
            sentence("First.", position=9, f1=0.1, sas=0.9),
        ],
        {},
    )

    assert texts(found) == {"1_1": ["First.", "Second.", "Third.", "Fourth."]}


def test_each_rank_has_one_sentence_of_a_turn():
    found = extract([sentence("One."), sentence("Two.", f1=0.4), sentence("A.", turn="1_2")], {})

    assert [[each.text for each in rank] for rank in found.ranks()] == [["One.", "A."], ["Two."]]


def test_white_space_makes_no_other_sentence():
    found = extract([sentence("Gold is\n dark.")], {"1_1": [" Gold is dark. "]})

    assert (texts(found), found.n_equal) == ({}, 1)


def test_a_candidate_of_another_turn_is_none_here():
    found = extract([sentence("Gold is dark.")], {"1_2": ["Gold is dark."]})

    assert texts(found) == {"1_1": ["Gold is dark."]}
