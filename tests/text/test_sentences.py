from itertools import pairwise

import pytest
from hypothesis import given as for_any
from hypothesis import strategies as st
from syntok import segmenter

from tests.cases import all_cases
from tests.real_data import clapnq_passages
from tests.text.slow_sentences import slow_sentences
from text.sentences import sentence_ranges, sentences, widened_range

TEXTS = st.text(st.sampled_from("abAB1 .!?…\"'”)[]\n。\t,"), max_size=40)


# What the rules look at, and texts that are more likely to be near each other than letters.
PIECES = (
    *"abAB1 .,!?…\"'”)]([\n\t。．中-",  # noqa: RUF001 - these very marks
    *("[1]", "''", "J.", "U.S.", "Dr.", " the ", "\r\n", " . ", "...", " x) ", "No. ", "i. "),
)


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def syntoks(text: str) -> list[str]:
    """The sentences by syntok, another splitter."""
    parts = [tokens for paragraph in segmenter.analyze(text) for tokens in paragraph]
    return [text[each[0].offset : each[-1].offset + len(each[-1].value)] for each in parts]


def boundaries(parts: list[str]) -> set[int]:
    """The number of characters other than white space before each end but the last."""
    ends, n = set(), 0
    for part in parts[:-1]:
        n += len("".join(part.split()))
        ends.add(n)
    return ends


@all_cases(
    "parts",
    [
        ["It rained.", "Then it stopped!", "Did it?", "Yes"],
        ["Dr. No met Mr. X at St. Paul's.", "They talked."],
        ["J. K. Rowling and George W. Bush live in the U.S. Army town.", "It is small."],
        ["He moved to the U.S.", "The end came at 5 p.m.", "They left."],
        ["Acme Inc. Chairman Smith spoke.", "He left Acme Inc.", "This was bad."],
        ["Pi is 3.14 and e.g. The Times of Jan. 5 says so, p. 7, No. 2.", "Fine."],
        ["He said no.", "She came in Jan.", "It was cold."],
        ["Is it in the U.S.?", "Army men came."],
        ["1. Mix the flour.", "12. Bake it.", "A. Not now."],
        ["In 1999.", "Two years later."],
        ["Wait... what is it?", "No...", "Yes."],
        ['He said "Stop!" and left.', '"Never."', "(So it was.)", "“Well.”", "[Edit.]"],
        ["A claim.[1][23]", "Another one. [4]", "[5]A third."],
        ["Yahoo! is a company.", "Is it?!"],
        ["It was set apart . ''", "So was this ( 1 ) , and that ( 2 ) .", "Was Mr. Smith ?"],
        ["This was not the Dr .", "Smith came ."],
        ["They are his . ''", "an estimate for one .", "e.g. this ."],
        ["So it is ( 1 ) a list ( 2 ) in a sentence .", "( 3 ) Another one ."],
        ["(a) Mix it.", "(b) Bake it.", "[iv] Eat it.", "v) Sleep."],
        ["iv. Mix it.", "1.2. Bake it."],
        ["He took vitamin C.", "It helped.", "See n. 30 and nn. 4 f. there."],
        ["It weighs 3.5 kg, or .5 stone.", "It cost $1.50.", "5.5 more."],
        ["Er sagte: „Ja.“", "Dann ging er.", "«Oui.»", "Elle rit."],
        ["What was it?!", "“Gold!”", "'Silver?'", "No…", "Yes."],
        [".", "A stop came first."],
        ["Dots . . . . . go on", "\nOr not"],
        ["foo at example.com/a.html is one word."],
    ],
)
def test_sentences_end_where_a_reader_would_end_them(parts):
    assert split(" ".join(parts)) == [part.strip() for part in parts]


@all_cases(
    ("text", "expected"),
    [
        ("我是人。你呢？好！", ["我是人。", "你呢？", "好！"]),  # noqa: RUF001
        ("来了。iPhone好。", ["来了。", "iPhone好。"]),
        ("यह वाक्य है। दूसरा वाक्य।", ["यह वाक्य है।", "दूसरा वाक्य।"]),
        ("هل أنت هنا؟ نعم۔ شكرا.", ["هل أنت هنا؟", "نعم۔", "شكرا."]),  # noqa: RUF001
        ("یہ ہے۔وہ تھا۔", ["یہ ہے۔", "وہ تھا۔"]),  # noqa: RUF001
        ("「来た。」彼は言った。", ["「来た。」", "彼は言った。"]),
        ("来た｡行った｡", ["来た｡", "行った｡"]),
        ("圆周率是３．１４。对吗？！", ["圆周率是３．１４。", "对吗？！"]),  # noqa: RUF001
        ("श्लोक॥ अगला।[1] फिर", ["श्लोक॥", "अगला।[1]", "फिर"]),
        ("ነው። ነበር።", ["ነው።", "ነበር።"]),
        ("Սա է։ Նա էր։", ["Սա է։", "Նա էր։"]),  # noqa: RUF001
        ("လာတယ်။ သွားတယ်။", ["လာတယ်။", "သွားတယ်။"]),
        ("គាត់មក។ គាត់ទៅ៕", ["គាត់មក។", "គាត់ទៅ៕"]),
        ("ཡིན། རེད།", ["ཡིན།", "རེད།"]),
        ("Τι είναι\u037e Χρυσός.", ["Τι είναι\u037e", "Χρυσός."]),  # noqa: RUF001
        ("А. С. Пушкин жил тут. Он писал.", ["А. С. Пушкин жил тут.", "Он писал."]),  # noqa: RUF001
        ("זה אבן. היא שחורה.", ["זה אבן.", "היא שחורה."]),
    ],
)
def test_full_stops_of_other_scripts_end_sentences(text, expected):
    assert split(text) == expected


def test_blank_lines_and_the_lines_of_a_list_end_sentences():
    assert split("Home\nAbout us\r\nContact\n\nThe end") == [
        "Home",
        "About us",
        "Contact",
        "The end",
    ]


def test_the_line_ends_of_a_hard_wrapped_text_do_not():
    text = (
        "The reigning Prince and the government of the State of\n"
        "Liechtenstein visited the city in the month of May, and the\n"
        "Mayor received them. They left.\n"
        "A new paragraph"
    )

    assert len(sentences(text)) == 3
    assert split(text)[1:] == ["They left.", "A new paragraph"]


def test_a_line_that_begins_in_lower_case_goes_on_with_the_sentence():
    assert split("a very\nshort line") == ["a very\nshort line"]


@pytest.mark.parametrize("text", ["", " ", "\n\t\n"])
def test_a_text_without_words_has_no_sentences(text):
    assert sentences(text) == []


@for_any(TEXTS)
def test_sentences_hold_all_that_is_not_white_space_once_and_in_order(text):
    found = sentences(text)

    assert all(start < end for start, end in found)
    assert all(left[1] <= right[0] for left, right in pairwise(found))
    assert all(part == part.strip() for part in split(text))
    assert "".join("".join(split(text)).split()) == "".join(text.split())


@for_any(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_sentences_are_those_of_the_slow_splitter(text):
    assert sentences(text) == slow_sentences(text)


# The slow splitter, which reads to the end or from the beginning again at each stop, takes minutes for these.
@pytest.mark.parametrize(
    ("text", "n_sentences"),
    [
        ("中。" * 250_000, 250_000),
        ("." * 500_000 + "a", 1),
        ("J. 中 " * 200_000, 1),
    ],
    ids=["no spaces", "dots", "initials"],
)
def test_texts_of_hundreds_of_thousands_of_characters_are_split(text, n_sentences):
    assert len(sentences(text)) == n_sentences


def test_a_span_is_widened_to_the_sentences_it_touches():
    text = "One is here. Two is there. Three is gone."

    assert text[slice(*widened_range(text, 7, 16))] == "One is here. Two is there."
    assert widened_range(text, 13, 26) == (13, 26)


def test_a_sentence_that_only_adjoins_the_span_is_not_touched():
    assert widened_range("来了。好人。走了。", 3, 6) == (3, 6)


def test_a_span_of_two_sentences_has_two_pieces():
    text = "One is here. Two is there. Three is gone."

    assert sentence_ranges(text, sentences(text), 7, 16) == [(0, 12), (13, 26)]


MENU = " ".join(f"item{n}" for n in range(300))


def test_a_sentence_over_the_cap_gives_way_to_a_window_around_the_span():
    start = MENU.index("item50")

    widened = MENU[slice(*widened_range(MENU, start, start + 6, margin=3))]

    assert widened == "item47 item48 item49 item50 item51 item52 item53"


def test_sentences_of_just_as_many_words_as_the_cap_are_shown_whole():
    text = "One two three. Four five six."

    assert widened_range(text, 0, 3, max_tokens=3, margin=0) == (0, 14)
    assert widened_range(text, 0, 3, max_tokens=2, margin=0) == (0, 3)


def test_the_window_never_cuts_a_word():
    start = MENU.index("item50") + 2

    assert MENU[slice(*widened_range(MENU, start, start + 1, margin=0))] == "item50"


def test_the_window_takes_no_more_words_than_the_cap_leaves_room_for():
    start, end = MENU.index("item10"), MENU.index("item20") - 1

    assert len(MENU[slice(*widened_range(MENU, start, end, max_tokens=15))].split()) == 14
    assert widened_range(MENU, start, end, max_tokens=5) == (start, end)


def test_the_window_stays_within_the_sentences_that_the_span_touches():
    text = f"Before it. The {MENU}. After it."
    start = text.index("item1 ")

    assert (
        text[slice(*widened_range(text, start, start + 5, margin=3))]
        == "The item0 item1 item2 item3 item4"
    )


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (2, 2), (3, 2), (0, 99)])
def test_what_is_no_range_of_the_text_is_refused(start, end):
    with pytest.raises(ValueError, match="is no range of a text of 7 characters"):
        widened_range("a b.  c", start, end)


@pytest.mark.parametrize("text", ["a b.  C", "a bc  d", f"a bc  {MENU}"])
def test_a_range_of_white_space_is_refused(text):
    with pytest.raises(ValueError, match="nothing but white space"):
        widened_range(text, 4, 6)


@for_any(TEXTS, st.data())
def test_widening_keeps_the_span_and_cuts_no_word(text, data):
    n = len(text)
    start = data.draw(st.integers(0, max(0, n - 1)))
    end = data.draw(st.integers(start + 1, n)) if n else 0
    if not text[start:end].strip():
        return
    wide = widened_range(text, start, end, max_tokens=3, margin=1)

    assert text[slice(*wide)].strip() == text[slice(*wide)]
    assert text[start:end].strip() in text[slice(*wide)]


@pytest.mark.parametrize(
    "text",
    [
        "حجر، ذهب؛ فضة",  # the commas and semicolons of other scripts end nothing
        "石，金；银：铜、铁",  # noqa: RUF001
        "ฉันมาแล้ว เธอก็มา",  # Thai has no stop
    ],
)
def test_what_is_no_stop_ends_no_sentence(text):
    assert split(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "Mr. Smith met Dr. Jones. They talked for 3.5 hours. It was late!",
        "Is it so? “Yes.” The U.S. agreed. He left at 5 p.m. on Jan. 5, e.g. by train.",
    ],
)
def test_where_nothing_is_doubtful_syntok_says_the_same(text):
    assert split(text) == syntoks(text)


@pytest.mark.real_data
def test_sentences_of_real_passages_are_those_that_came_with_them():
    """The rules were mended on the first half, every second passage; the other half tells."""
    f1 = {}
    for name, splitter in (("ours", split), ("syntok", syntoks)):
        n_found = n_given = n_both = 0
        for text, parts in clapnq_passages()[1::2]:
            found, wanted = boundaries(splitter(text)), boundaries(parts)
            n_found += len(found)
            n_given += len(wanted)
            n_both += len(found & wanted)
        f1[name] = 2 * n_both / (n_found + n_given)
        if name == "ours":
            assert n_both / n_found > 0.99

    assert f1["ours"] >= 0.955
    assert f1["ours"] > f1["syntok"]
