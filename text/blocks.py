"""Text in blocks of lines, with an empty line between two."""

from itertools import groupby


def blocks(text: str) -> list[list[tuple[int, str]]]:
    """Return the blocks; each is its lines without outer white space, with their numbers in the text from 1.

    >>> blocks("Do you sail?\\n ( ) no\\n\\n\\nWhere?")
    [[(1, 'Do you sail?'), (2, '( ) no')], [(5, 'Where?')]]
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1)]
    return [
        list(block) for is_block, block in groupby(lines, lambda each: each[1] != "") if is_block
    ]
