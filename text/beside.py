"""Two texts beside one another: the lines of each, with what the other has not marked."""

from collections.abc import Iterable

from text import diff
from text.diff import Change, Piece

Line = tuple[Piece, ...]


def marked(before: str, after: str) -> tuple[list[Line], list[Line]]:
    """The lines of both texts, each with its own words and those that both have."""
    blocks = [
        block for part in diff.changes(_lines(before), _lines(after)) for block in part.blocks
    ]
    if not blocks:  # no word differs
        return _unmarked(before), _unmarked(after)
    kept = (Change.NONE, Change.REMOVED), (Change.NONE, Change.ADDED)
    old, new = ([_of(block.pieces, changes) for block in blocks] for changes in kept)
    return [line for line in old if line], [line for line in new if line]


def differ_in_white_space(before: str, after: str) -> bool:
    """Whether two texts differ, and no word of them: nothing is marked then.

    >>> differ_in_white_space("Oil, gas.", "Oil,  gas."), differ_in_white_space("Oil.", "Gas.")
    (True, False)
    """
    return before != after and all(
        piece.change == Change.NONE
        for lines in marked(before, after)
        for line in lines
        for piece in line
    )


def _of(pieces: Iterable[Piece], changes: Iterable[Change]) -> Line:
    return tuple(piece for piece in pieces if piece.change in changes)


def _lines(text: str) -> list[diff.Given]:
    return [("line", [(line, "")]) for line in text.split("\n") if line.strip()]


def _unmarked(text: str) -> list[Line]:
    return [(Piece(Change.NONE, (diff.Run(line, ""),)),) for line in text.split("\n")]
