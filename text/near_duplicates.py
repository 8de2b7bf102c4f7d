"""Near-duplicate answers: an optional second rule of distinctness.

By their bags (text.bags) two answers are the same if their words are. By this rule they are also
the same if their letters nearly are: a typing error, one more word, another ending.

    nearness(a, b) = 1 - d / (|a| + |b|),  d = insertions and deletions that turn one into the other

over the texts lower-cased, with white space made one space: the normalised Indel similarity of
rapidfuzz (its `fuzz.ratio` / 100), 2·LCS / (|a| + |b|) with LCS the longest common subsequence. It
is in [0, 1], and 1 for equal texts.

Two letters may be the difference between yes and no. So two texts are never near, whatever their
letters, if

- one has a negation, a word of number or a number that the other lacks: `It is (not) legal`, `in 1914` and
  `in 1915`, `two legs` and `ten legs`; a Roman numeral too, `Henry VIII` and `Henry VII`, and a single letter,
  `vitamin B` and `vitamin C`
- one has a currency sign or a per cent sign, or a short word after a number, that the other lacks: `$5` and
  `£5`, `5 mg` and `5 kg`
- one has a capitalised word that the other lacks in any case or ending: `Jane Austen` and `Jane Auster`. That
  is more than names, and a typing error in a name counts as another name: then people judge both

Negations and words of number are English; a date in words of another language is not recognised,
nor a name in a script without capitals. This is why `groups` is shown before a pool is drawn, and
why a merged text is only *represented*: it inherits no verdict.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel

from text.bags import NEGATIONS, NUMBER_WORDS, stem, tokens, word_set, written_words

# Where a requester who asks for the rule begins. See docs/adr/0010-what-was-not-asked-about.md.
NEAR = 0.95

_NUMERALS = word_set("""
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds
    thousand thousands million millions billion billions trillion trillions dozen dozens half twice
    first second third fourth fifth sixth seventh eighth ninth tenth never none neither nothing nobody
    without cannot
    """)
_TELLING = NEGATIONS | NUMBER_WORDS | _NUMERALS
# 3.5 is not 35, and 1-2 not 12. What stands behind may be its unit.
_NUMBER = re.compile(r"([+-]?\d+(?:[.,:/-]\d+)*)(?:\s?([^\W\d_]{1,3})\b)?")
# As they are written now, to 3999; that the empty text is one of them is asked apart.
_ROMAN = re.compile(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_NO_LETTERS = ("A", "I")  # by themselves they are mostly words; of two numerals the other one tells


@dataclass(frozen=True, slots=True)
class Text:
    """A text prepared for comparison."""

    plain: str
    # Numbers, negations, words of number and the like, as often as they come, sorted.
    telling: tuple[str, ...]
    # The stems of capitalised words, and of all words.
    names: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Merged:
    text: str
    nearness: float  # to the text that is kept


@dataclass(frozen=True, slots=True)
class Group:
    """A kept text, and those `merged` with it: near to it and later in the given order."""

    kept: str
    merged: tuple[Merged, ...]


def prepared_text(text: str) -> Text:
    plain = " ".join(unicodedata.normalize("NFC", text).lower().split())
    token_words = tokens(plain)
    capitalised = [word for word in written_words(text) if word[0].isupper()]
    return Text(
        plain,
        tuple(
            sorted(
                [
                    *(word for word in token_words if word in _TELLING or _is_roman(word)),
                    *(word for word in capitalised if len(word) == 1 and word not in _NO_LETTERS),
                    *_numbers(plain.replace("\N{MINUS SIGN}", "-")),
                    # What is a number and no digit: ½, ², Ⅳ, 三.
                    *(sign for sign in plain if sign.isnumeric() and not sign.isdecimal()),
                    *(sign for sign in plain if sign in "%‰" or unicodedata.category(sign) == "Sc"),
                ]
            )
        ),
        frozenset(filter(None, (stem(word.lower()) for word in capitalised))),
        frozenset(map(stem, token_words)),
    )


def _is_roman(word: str) -> bool:
    return len(word) > 1 and bool(_ROMAN.fullmatch(word))


def _numbers(plain: str) -> Iterator[str]:
    for number, unit in _NUMBER.findall(plain):
        yield number
        if stem(unit):  # no stop word, as in "in 1914 the war"
            yield unit


def nearness(one: str, other: str) -> float:
    """Return the nearness, 0 to 1; 0 if their numbers, negations or names differ."""
    return _nearness(prepared_text(one), prepared_text(other), 0.0)


def groups(texts: Sequence[str], least: float) -> list[Group]:
    """Return the texts that are kept, each with those merged with it.

    In the given order, a text joins the first kept text to which it is nearest, if it is at least
    `least` near to it; otherwise it is kept itself. So the order decides which text is kept
    (selection puts the highest score first, ties by text), every merged text is near to the one
    that represents it, and two texts merged with one may be less near to each other. Equal texts
    merge too.
    """
    prepared = [prepared_text(text) for text in texts]
    found = kept_places(
        len(texts), lambda one, other: _nearness(prepared[one], prepared[other], least)
    )
    merged: dict[int, list[Merged]] = {}
    for place, (kept, how_near) in enumerate(found):
        if kept == place:
            merged[place] = []
        else:
            merged[kept].append(Merged(texts[place], how_near))
    return [Group(texts[kept], tuple(gone)) for kept, gone in merged.items()]


def kept_places(n: int, nearness: Callable[[int, int], float]) -> list[tuple[int, float]]:
    """Return, for each of the first n whole numbers, its representative and their nearness.

    A kept number represents itself, with 1. `nearness(later, earlier)` is 0 for two that are not
    near enough. The result for a number depends only on those before it: the beginning of a list is
    grouped as it would be by itself.
    """
    kept: list[int] = []
    found = []
    for place in range(n):
        stands, nearest = place, 0.0
        for other in kept:
            how_near = nearness(place, other)
            if how_near > nearest:
                stands, nearest = other, how_near
        if stands == place:
            kept.append(place)
            nearest = 1.0
        found.append((stands, nearest))
    return found


def pairs(texts: Sequence[str], least: float) -> list[tuple[int, int, float]]:
    """Return every two texts at least so near: their places, the earlier first, and nearness."""
    prepared = [prepared_text(text) for text in texts]
    return [
        (earlier, later, how_near)
        for later in range(len(prepared))
        for earlier in range(later)
        if (how_near := _nearness(prepared[earlier], prepared[later], least))
    ]


def kept_texts(groups: Iterable[Group]) -> dict[str, str]:
    """Return the kept text of each merged text."""
    return {merged.text: group.kept for group in groups for merged in group.merged}


def _nearness(one: Text, other: Text, least: float) -> float:
    """Return 0 if the nearness is below `least`: rapidfuzz then stops early."""
    if one.telling != other.telling:
        return 0.0
    if not (one.names <= other.words and other.names <= one.words):
        return 0.0
    n = len(one.plain) + len(other.plain)
    # One division of whole numbers, so that .55 asked for is .55 found.
    most = int(n * (1 - least)) + 1
    found = (n - Indel.distance(one.plain, other.plain, score_cutoff=most)) / n if n else 1.0
    return found if found >= least else 0.0
