"""What is promised of the difference between two texts: text/diff.py."""

from hypothesis import given
from hypothesis import strategies as st

from text import diff
from text.diff import Block, Change

MARKS = {Change.NONE: "{}", Change.ADDED: "+{}+", Change.REMOVED: "-{}-"}


def text_blocks(*texts: str) -> list[diff.Given]:
    return [("text", [(text, "")]) for text in texts]


def marked(block: Block) -> str:
    """The block as one line: +added+ and -removed-."""
    return "".join(MARKS[piece.change].format(piece.text) + piece.gap for piece in block.pieces)


def marked_changes(before: list[str], after: list[str]) -> list[str]:
    parts = diff.changes(text_blocks(*before), text_blocks(*after))
    return [marked(block) for part in parts for block in part.blocks]


def side(parts: list[diff.Part], without: Change) -> list[str]:
    """The text that is left when one kind of change is taken out of the difference."""
    found = []
    for block in (block for part in parts for block in part.blocks):
        kept = [piece for piece in block.pieces if piece.change != without]
        words = " ".join(piece.text for piece in kept)
        if kept:
            found.append(words.replace(" ", ""))
    return found


WORDS = st.text(alphabet="ab cé判断\n", min_size=1).filter(str.strip)
TEXTS = st.lists(WORDS, max_size=6)


@given(TEXTS, TEXTS)
def test_both_texts_can_be_read_out_of_the_difference(before, after):
    parts = diff.changes(text_blocks(*before), text_blocks(*after))

    if parts:
        assert side(parts, Change.ADDED) == ["".join(text.split()) for text in before]
        assert side(parts, Change.REMOVED) == ["".join(text.split()) for text in after]
    else:
        assert [text.split() for text in before] == [text.split() for text in after]


def test_where_only_white_space_differs_there_is_no_difference():
    assert marked_changes(["Mind  the\nquestion. "], ["Mind the question."]) == []


def test_a_text_that_stays_has_no_difference():
    assert marked_changes(["One", "Two"], ["One", "Two"]) == []
    assert marked_changes([], []) == []


def test_words_are_told_apart_inside_a_paragraph_that_changed():
    before = ["An answer that is true is plausible."]
    after = ["An answer that may be true is plausible."]

    assert marked_changes(before, after) == ["An answer that -is- +may be+ true is plausible."]


def test_a_word_at_the_end_stands_apart_from_what_it_replaces():
    assert marked_changes(["Judge the answer"], ["Judge the reply"]) == [
        "Judge the -answer- +reply+"
    ]
    assert marked_changes(["Judge it now"], ["Judge it"]) == ["Judge it -now-"]
    assert marked_changes(["Judge it"], ["Judge it now"]) == ["Judge it +now+"]


def test_a_word_that_stayed_between_two_changes_is_told_with_them():
    before = ["Please read all of the old text to its end"]
    after = ["Please read all of a old book to its end"]

    assert marked_changes(before, after) == [
        "Please read all of -the old text- +a old book+ to its end",
    ]


def test_a_paragraph_with_little_in_common_is_told_as_removed_and_added():
    assert marked_changes(["Mind the question."], ["Never guess."]) == [
        "-Mind the question.-",
        "+Never guess.+",
    ]


def test_a_changed_paragraph_is_found_among_new_ones():
    before = ["A", "Answers in other languages are judged as well.", "Z"]
    after = ["A", "Quite new.", "Answers in all languages are judged as well.", "Z"]

    assert marked_changes(before, after) == [
        "A",
        "+Quite new.+",
        "Answers in -other- +all+ languages are judged as well.",
        "Z",
    ]


def test_scripts_without_spaces_are_compared_sign_by_sign():
    assert marked_changes(["請先閱讀問題再判斷"], ["請先閱讀回答再判斷"]) == [
        "請先閱讀-問題- +回答+再判斷"
    ]


def test_long_unchanged_parts_are_folded_away_and_their_neighbours_are_not():
    before = [f"paragraph {number}" for number in range(10)]
    after = [*before[:5], "something quite new", *before[6:]]

    parts = diff.changes(text_blocks(*before), text_blocks(*after))

    assert [(part.is_folded, len(part.blocks)) for part in parts] == [
        (True, 4),
        (False, 4),
        (True, 3),
    ]


def test_one_unchanged_paragraph_is_not_worth_folding():
    parts = diff.changes(text_blocks("A", "B"), text_blocks("A", "B", "C"))

    assert not any(part.is_folded for part in parts)


def test_the_kind_of_the_new_block_is_carried_along():
    parts = diff.changes([("text", [("One two three", "")])], [("item", [("One two four", "")])])

    assert [block.kind for part in parts for block in part.blocks] == ["item"]


def test_many_blocks_without_anything_in_common_are_told_in_short_time():
    before = [f"old {number} text" for number in range(200)]
    after = [f"new {number} words" for number in range(200)]

    assert len(marked_changes(before, after)) == 400


def test_a_long_block_in_which_all_differs_is_told_whole_and_what_it_begins_and_ends_with_stays():
    before = " ".join(f"same{number} old{number}" for number in range(1500)) + " kindly."
    after = " ".join(f"same{number} new{number}" for number in range(1500)) + " kindly."

    (block,) = marked_changes([before], [after])

    assert block.startswith("same0 -old0 same1 old1 ")
    assert " old1499- +new0 same1 new1 " in block
    assert block.endswith(" new1499+ kindly.")


def test_few_words_that_changed_in_a_long_block_are_told():
    words = [f"word{number}" for number in range(5000)]
    changed = [*words[:2500], "instead", *words[2501:]]

    (block,) = marked_changes([" ".join(words)], [" ".join(changed)])

    assert "word2499 -word2500- +instead+ word2501" in block


def test_thousands_of_blocks_in_which_all_differs_are_told_whole():
    before = [f"old{number}" for number in range(1500)]
    after = [f"new{number}" for number in range(1500)]

    assert len(marked_changes(["Begin", *before], ["Begin", *after])) == 3001


def test_a_word_that_became_bold_is_told_and_keeps_its_looks():
    before = [("text", [("Do not guess, ever", "")])]
    after = [("text", [("Do ", ""), ("not", "strong"), (" guess, ever", "")])]

    ((block,),) = (part.blocks for part in diff.changes(before, after))

    assert marked(block) == "Do -not- +not+ guess, ever"
    assert [(run.text, run.style) for piece in block.pieces for run in piece.runs] == [
        ("Do", ""),
        ("not", ""),
        ("not", "strong"),
        ("guess, ever", ""),
    ]


def test_words_of_two_styles_stand_in_one_piece_with_the_space_between_them():
    spans = [("Never", "strong"), (" guess", "")]

    ((block,),) = (part.blocks for part in diff.changes([], [("text", spans)]))

    (piece,) = block.pieces
    assert [(run.text, run.style) for run in piece.runs] == [("Never ", "strong"), ("guess", "")]
