"""The balance of a design in sentences: annotation/views/batches/pair_wording.py."""

from annotation.design.pairs import Balance
from annotation.views.batches.pair_wording import balance_sentences


def test_every_pair_as_often_is_one_sentence():
    even = Balance(3, 0, 0, 4, 4, (("alder", "birch", "cedar"),))

    assert balance_sentences(even) == ["Any two runs meet 4 times, in turn on either side."]


def test_what_is_uneven_or_left_out_has_a_sentence_each():
    uneven = Balance(3, 1, 2, 0, 4, (("alder", "birch"), ("cedar",)))

    assert [sentence.partition(":")[0] for sentence in balance_sentences(uneven)] == [
        "Any two runs meet 0 to 4 times, in turn on either side.",
        "1 question has only one text as an answer",
        "2 times two runs gave the same text",
        "The runs fall into 2 groups that are never compared (alder, birch; cedar)",
    ]


def test_a_single_run_meets_nobody():
    assert balance_sentences(Balance(0, 0, 0, None, None, (("alder",),))) == []
