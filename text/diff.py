"""Differences between two texts: block by block, and word by word inside a changed block."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

# A block that has this much of its words in common with one of the other text is that one, changed.
ALIKE = 0.4
# Looking for the blocks that are alike takes as many steps as pairs: of more, none are looked for.
MOST_PAIRS = 2_500
# To find what two rows of words have in common may take as many steps as pairs: of more, none is found,
# and the one stands whole in place of the other. (A thousand words each: some hundredths of a second.)
MOST_STEPS = 1_000_000
# As many blocks stand unchanged on each side of a change; what lies between is folded away.
AROUND = 1
# What is folded is worth a line that says so.
FEWEST_FOLDED = 2

# Scripts that write no space between words are compared sign by sign.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORDS = re.compile(rf"\s+|[{_UNSPACED}]|[^\s{_UNSPACED}]+")

# A block as it is given: its kind, and its text in pieces of one style each: ("item", [("Never", "strong")]).
# Kinds are carried along and not compared; styles are compared.
Given = tuple[str, Sequence[tuple[str, str]]]


class Change(StrEnum):
    NONE = "none"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True)
class Run:
    """Words of one style."""

    text: str
    style: str


@dataclass(frozen=True)
class Piece:
    change: Change
    runs: tuple[Run, ...]
    gap: str = ""  # the space after it, where there is one

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True)
class Block:
    """A block with the change of each of its pieces, in reading order."""

    kind: str
    pieces: tuple[Piece, ...]

    @property
    def is_changed(self) -> bool:
        return any(piece.change != Change.NONE for piece in self.pieces)


@dataclass(frozen=True)
class Part:
    """Consecutive blocks. Folded ones are unchanged, and far from any change."""

    is_folded: bool
    blocks: tuple[Block, ...]


class _Word(NamedTuple):
    text: str
    style: str


@dataclass(frozen=True)
class _Text:
    """A block's words, each with the space after it."""

    kind: str
    words: tuple[_Word, ...]
    gaps: tuple[str, ...]


def changes(before: Iterable[Given], after: Iterable[Given]) -> list[Part]:
    """Return all blocks of both texts with their changes; empty if no word differs.

    White space is not compared: one space equals several, or a new line.
    """
    old, new = ([_words_of(kind, spans) for kind, spans in blocks] for blocks in (before, after))
    if [text.words for text in old] == [text.words for text in new]:
        return []
    return list(_parts(list(_blocks(old, new))))


def _words_of(kind: str, spans: Iterable[tuple[str, str]]) -> _Text:
    words: list[_Word] = []
    gaps: list[str] = []
    for text, style in spans:
        for found in _WORDS.findall(text):
            if not found.isspace():
                words.append(_Word(found, style))
                gaps.append("")
            elif gaps:
                gaps[-1] = " "
    return _Text(kind, tuple(words), tuple(gaps))


def _blocks(old: list[_Text], new: list[_Text]) -> Iterator[Block]:
    for tag, i1, i2, j1, j2 in _opcodes([text.words for text in old], [text.words for text in new]):
        if tag == "equal":
            yield from (_whole(each, Change.NONE) for each in new[j1:j2])
        else:
            yield from _changed(old[i1:i2], new[j1:j2])


def _whole(text: _Text, change: Change) -> Block:
    return Block(text.kind, (Piece(change, _runs(text, 0, len(text.words))),))


def _runs(text: _Text, begin: int, end: int) -> tuple[Run, ...]:
    """Return the words from `begin` to before `end`, without the space after the last."""
    gaps = [*text.gaps[begin:end][:-1], ""]  # one too many where there is no word
    pairs = zip(text.words[begin:end], gaps, strict=False)
    return tuple(
        Run("".join(word.text + gap for word, gap in alike), style)
        for style, alike in groupby(pairs, key=lambda pair: pair[0].style)
    )


def _changed(old: list[_Text], new: list[_Text]) -> Iterator[Block]:
    """Yield removed blocks before those that replace them."""
    i = j = 0
    for at_old, at_new in [*_alike(old, new), (len(old), len(new))]:
        yield from (_whole(each, Change.REMOVED) for each in old[i:at_old])
        yield from (_whole(each, Change.ADDED) for each in new[j:at_new])
        if at_new < len(new):
            yield Block(new[at_new].kind, tuple(_pieces(old[at_old], new[at_new])))
        i, j = at_old + 1, at_new + 1


def _alike(old: list[_Text], new: list[_Text]) -> list[tuple[int, int]]:
    """Return the pairs of old and new blocks, in the order of both, that have most in common."""
    if len(old) * len(new) > MOST_PAIRS:
        return []
    ours, theirs = ([_bag(text) for text in texts] for texts in (old, new))
    likeness = [[_likeness(each, other) for other in theirs] for each in ours]
    # best[i][j]: the most that the blocks from old[i] and new[j] on can have in common.
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            paired = likeness[i][j] + best[i + 1][j + 1] if likeness[i][j] >= ALIKE else 0.0
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < len(old) and j < len(new):
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            pairs.append((i, j))
            i, j = i + 1, j + 1
    return pairs


def _bag(text: _Text) -> Counter[str]:
    return Counter(word.text.casefold() for word in text.words)


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    """Return Dice's coefficient of two bags that are not empty, 0 to 1."""
    return 2 * (one & other).total() / (one.total() + other.total())


def _pieces(old: _Text, new: _Text) -> Iterator[Piece]:
    for tag, i1, i2, j1, j2 in _without_single_words(_opcodes(old.words, new.words)):
        was, now = _runs(old, i1, i2), _runs(new, j1, j2)
        gap_was, gap_now = old.gaps[i2 - 1] if was else "", new.gaps[j2 - 1] if now else ""
        if tag == "equal":
            # Where one text ends with it and the other goes on there is a space in one only.
            yield Piece(Change.NONE, now, gap_now or gap_was)
            continue
        if was:
            yield Piece(Change.REMOVED, was, " " if now else gap_was)
        if now:
            yield Piece(Change.ADDED, now, gap_now)


Opcode = tuple[str, int, int, int, int]


def _opcodes(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Opcode]:
    """Return SequenceMatcher's opcodes, in a bounded time.

    The common beginning and end are equal anyway; if the rest would take too long, it is one
    change.
    """
    begin = _n_equal(old, new)
    end = _n_equal(old[begin:][::-1], new[begin:][::-1])
    was, now = old[begin : len(old) - end], new[begin : len(new) - end]
    if len(was) * len(now) <= MOST_STEPS:
        return [*SequenceMatcher(None, old, new).get_opcodes()]
    middle: Opcode = ("replace", begin, begin + len(was), begin, begin + len(now))
    first: Opcode = ("equal", 0, begin, 0, begin)
    last: Opcode = ("equal", len(old) - end, len(old), len(new) - end, len(new))
    return [each for each in (first, middle, last) if each[1] < each[2] or each[3] < each[4]]


def _n_equal(old: Sequence[Hashable], new: Sequence[Hashable]) -> int:
    """Return the length of the common beginning."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((n for n, (was, now) in pairs if was != now), min(len(old), len(new)))


def _without_single_words(opcodes: Sequence[Opcode]) -> list[Opcode]:
    """Merge a single unchanged word between two changes into them: whole phrases read better."""
    calm: list[Opcode] = []
    for index, (tag, i1, i2, j1, j2) in enumerate(opcodes):
        is_between = 0 < index < len(opcodes) - 1
        kind = "replace" if tag != "equal" or (is_between and i2 - i1 == 1) else "equal"
        if calm and calm[-1][0] == kind == "replace":
            _, begin, _, begun, _ = calm.pop()
            calm.append((kind, begin, i2, begun, j2))
        else:
            calm.append((kind, i1, i2, j1, j2))
    return calm


def _parts(blocks: list[Block]) -> Iterator[Part]:
    is_near = [False] * len(blocks)
    for index, block in enumerate(blocks):
        if block.is_changed:
            for near in range(max(0, index - AROUND), min(len(blocks), index + AROUND + 1)):
                is_near[near] = True
    for near, found in groupby(zip(is_near, blocks, strict=True), key=lambda pair: pair[0]):
        row = tuple(block for _, block in found)
        yield Part(is_folded=not near and len(row) >= FEWEST_FOLDED, blocks=row)
