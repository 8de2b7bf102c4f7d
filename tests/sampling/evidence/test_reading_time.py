"""How much there is to read of a pool's evidence, and how long that takes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.actions import execution
from sampling.evidence.reading_time import ReadingLength, minutes, reading_length
from sampling.models import EvidenceSpan
from sampling.queries import evidence_words
from tests.corpus.imports import answer, create_dataset, create_run, passage_table, turn
from tests.sampling.scored_dataset import begin_evidence, draw_pool, import_scores
from text.segmentation import n_words


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        ([], ReadingLength(None, None)),
        ([7], ReadingLength(7, 7)),
        ([9, 1], ReadingLength(5, 9)),
        (range(1, 11), ReadingLength(5.5, 9)),
        (range(1, 21), ReadingLength(10.5, 18)),
    ],
)
def test_cases_worked_by_hand(lengths, expected):
    assert reading_length(lengths) == expected


@given(st.lists(st.integers(1, 50), min_size=1))
def test_the_ninetieth_percentile_is_the_least_that_nine_in_ten_do_not_exceed(lengths):
    def enough(most):
        return 10 * sum(each <= most for each in lengths) >= 9 * len(lengths)

    found = reading_length(lengths).ninetieth

    assert enough(found)
    assert not enough(found - 1)


@pytest.mark.parametrize(
    ("words", "said"), [(1, "0.1 min"), (100, "0.5 min"), (101, "0.6 min"), (200, "1.0 min")]
)
def test_a_time_is_told_in_tenths_of_a_minute_rounded_up(words, said):
    assert minutes(words) == said


def test_the_words_that_are_counted_are_those_that_are_shown(study, tmp_path):
    """Also behind characters that some encodings take for two, and in a script without spaces."""
    passages = passage_table(
        ("1_1", "stone", "\U0001f5ff\U0001f5ff Menu. A stone of slate \U0001f5ff is dark."),
        ("1_2", "coal", "目录。煤炭是黑色的。"),
        ("1_3", "menu", "Home."),
    )
    turns = [turn(1, "Slate."), turn(2, "煤炭"), turn(3, "Nothing.")]
    dataset = create_dataset(study, tmp_path, turns, passages=passages)
    create_run(
        dataset, tmp_path, [answer(1, "A stone is dark"), answer(2, "煤炭黑色"), answer(3, "Gold.")]
    )
    import_scores(dataset, tmp_path, {"alder": [("1_1", 0.9), ("1_2", 0.9), ("1_3", 0.9)]})
    execution.run(begin_evidence(draw_pool(dataset)))
    pool = study.pools.get(name="evidence")

    expected = {1: 0, 2: 0}
    for span in EvidenceSpan.objects.filter(pool=pool).select_related("passage", "turn"):
        expected[span.turn.number] += n_words(span.passage.text[span.start : span.end])
    numbers = {each.pk: each.number for each in pool.dataset.conversations.get().turns.all()}
    found = {numbers[turn]: n for turn, n in evidence_words(pool).items()}
    assert found == expected
    assert found[2] == 6  # each character is a word
    assert pool.counts["n_words_median"] == sum(expected.values()) / 2
