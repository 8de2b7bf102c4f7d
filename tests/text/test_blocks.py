"""Text in blocks of lines: text/blocks.py."""

from text.blocks import blocks


def test_lines_of_white_space_part_blocks_however_many_there_are() -> None:
    assert blocks("\n \t\na\nb\n \n\nc\n\n") == [[(3, "a"), (4, "b")], [(7, "c")]]


def test_a_text_without_a_word_has_no_block() -> None:
    assert blocks("") == blocks(" \n\u2003\r\n") == []
