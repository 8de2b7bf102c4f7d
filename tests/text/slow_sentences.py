"""A splitter in quadratic time, which `text.sentences` must equal."""

import re
from collections.abc import Iterator

from text import sentences as ours

_STOP = re.compile(
    # The same, but that a run of stops is tried from each of its marks.
    ours._STOP.pattern.replace(f"(?<! {ours._STOPS} ) ", "").replace("++", "+"),
    re.VERBOSE,
)
_WORD = re.compile(r"\S+")


def slow_sentences(text: str) -> list[tuple[int, int]]:
    return [
        sentence for start, end in ours._paragraphs(text) for sentence in _split(text, start, end)
    ]


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = _past_space(text, start, end)
    for stop in _STOP.finditer(text, begin, end):
        if _ends_sentence(text, begin, stop, end):
            yield begin, stop.end()
            begin = _past_space(text, stop.end(), end)
    rest = text[begin:end].rstrip()
    if rest:
        yield begin, begin + len(rest)


def _past_space(text: str, start: int, end: int) -> int:
    word = _WORD.search(text, start, end)
    return word.start() if word else end


def _ends_sentence(text: str, begin: int, stop: re.Match[str], end: int) -> bool:
    mark = stop.group("stop")
    if mark is None:
        return True
    following = ours._following_word(text, stop.end(), end)
    if following in ours._NEVER_FIRST:
        return False
    before = text[begin : stop.start()]
    stands_apart = not before or before[-1].isspace()
    if following[:1].islower() and not ours._LIST_MARK.match(text, stop.end(), end):
        return mark == "." and stands_apart and before.rstrip()[-1:] not in ours._NEVER_FIRST
    if mark != "." or stands_apart:
        return True
    *earlier, word = before.rsplit(None, 1)
    return not ours._is_short(word.lstrip(ours._OPENING_MARKS), following, opens=not earlier)
