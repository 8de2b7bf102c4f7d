import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import all_cases
from text import overlap
from text.segmentation import (
    has_unspaced,
    located_segments,
    n_words,
    reading_seconds,
    searched_words,
    units,
)
from text.sentences import sentences, widened_range
from text.spans import best_span, window_f1
from text.tokens import located_words

LATIN = st.text(st.sampled_from("abT hé.,—’'\u0301אב\u05b7ער\nк1"), max_size=40)  # noqa: RUF001
MIXED = st.text(
    st.sampled_from("aT h.,—“\n1我是。，「」かか\u3099ｶﾞ\u200bกำดั\u0e49ខ្ញុំ𠮷\ufe00א\u05b7ه\ud800"),  # noqa: RUF001
    max_size=40,
)


def words_at_positions(text: str) -> list[tuple[str, str]]:
    found, places = located_segments(text)
    return [(word, text[start:end]) for word, (start, end) in zip(found, places, strict=True)]


@all_cases(
    ("text", "characters"),
    [
        ("我喜欢狗。", "我 喜 欢 狗"),
        ("「犬が好き」", "犬 が 好 き"),
        ("โกดัง", "โ ก ดั ง"),
        ("ខ្ញុំ", "ខ្ ញុំ"),
        ("ພາສາ", "ພ າ ສ າ"),
        ("မြန်မာ", "မြ န် မာ"),
        ("བོད་ཡིག", "བོ ད ཡི ག"),
    ],
)
def test_where_no_spaces_part_words_each_letter_is_one_with_the_marks_on_it(text, characters):
    assert searched_words(text) == [
        unicodedata.normalize("NFKC", each) for each in characters.split()
    ]


def test_other_words_of_such_a_text_are_those_of_the_measures():
    assert searched_words("他说 “Let's go” 买iPhone，the 2 apps。") == [  # noqa: RUF001
        *("他", "说", "“lets", "go”", "买", "iphone", "2", "apps"),
    ]


def test_each_word_says_where_it_stands_in_the_raw_text():
    assert words_at_positions("𠮷野家，E\u0301b 東京。") == [  # noqa: RUF001
        ("𠮷", "𠮷"),
        ("野", "野"),
        ("家", "家"),
        ("éb", "E\u0301b"),
        ("東", "東"),
        ("京", "京"),
    ]


def test_forms_that_only_look_different_are_the_same_word():
    assert searched_words("ガ") == searched_words("カ\u3099") == searched_words("ｶﾞ") == ["ガ"]
    assert searched_words("葛") == searched_words("葛\U000e0100")
    assert searched_words("２０年") == searched_words("20年")


@all_cases(
    "text",
    [
        "The cat—a dog.",
        "كتاب جديد.",
        "ספר חָדָשׁ",
        "मेरी किताब",
        "새 책",
        "книга",
        "e\u0301t\u0301",
        "",
    ],
)
def test_scripts_with_spaces_are_left_to_the_measures_words(text):
    assert not has_unspaced(text)
    assert located_segments(text) == located_words(text)
    assert n_words(text) == len(text.split())


@given(LATIN)
def test_without_a_letter_of_such_scripts_nothing_changes(text):
    assert located_segments(text) == located_words(text)
    assert [text[start:end] for start, end in units(text, 0, len(text))] == text.split()


@given(MIXED)
def test_words_follow_one_another_and_none_is_empty(text):
    found, places = located_segments(text)

    assert searched_words(text) == found
    assert all(found)
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert all(left[1] <= right[0] for left, right in pairwise(places))


@given(MIXED)
def test_units_hold_all_that_is_not_white_space_once_and_in_order(text):
    found = [text[start:end] for start, end in units(text, 0, len(text))]

    assert "".join(found) == "".join(text.split())
    assert n_words(text) == len(found)


def test_evidence_is_found_in_a_text_without_spaces():
    passage = "试金石是一块深色的石头。它用来检验黄金的纯度。"

    span = best_span(passage, "检验黄金")

    assert span is not None
    assert (passage[span.start : span.end], span.f1) == ("检验黄金", 1.0)


def test_evidence_is_found_in_a_text_from_right_to_left():
    passage = "حجر المحك لوح صغير داكن. يستخدم لاختبار الذهب."

    span = best_span(passage, "لاختبار الذهب")

    assert span is not None
    assert (passage[span.start : span.end], span.f1) == ("لاختبار الذهب.", 1.0)


def test_the_f1_of_a_window_is_that_of_the_measure_where_words_have_spaces():
    assert window_f1("The cold day.", "a cold, wet day") == overlap.token_f1(
        "The cold day.", "a cold, wet day"
    )
    assert window_f1("", "") == window_f1("x", "y") == 0.0


def test_the_measures_keep_the_words_of_their_authors():
    assert overlap.token_f1("我是人", "我是") == 0.0
    assert window_f1("我是人", "我是") == 0.8


def test_a_long_text_without_spaces_is_cut_between_characters():
    text = "石" * 300 + "金" + "石" * 300

    start, end = widened_range(text, 300, 301, max_tokens=100, margin=10)

    assert text[start:end] == "石" * 10 + "金" + "石" * 10


def test_the_lines_of_a_list_without_spaces_are_sentences():
    text = "目录\n联系我们\n" + "这是一个很长的标题" * 6

    assert [text[start:end] for start, end in sentences(text)] == text.split("\n")


def test_words_to_read_are_characters_where_there_are_no_spaces():
    assert n_words("Er sagt 你好。") == 4
    assert n_words("a  b\nc") == 3
    assert n_words(" ") == 0


def test_reading_takes_as_long_as_the_speed_says():
    assert reading_seconds(200) == 60
    assert reading_seconds(200, words_per_minute=100) == 120
    assert reading_seconds(0) == 0


@pytest.mark.parametrize("speed", [0, -1, float("nan")])
def test_a_speed_that_cannot_be_meant_is_refused(speed):
    with pytest.raises(ValueError, match="is no speed"):
        reading_seconds(1, words_per_minute=speed)
