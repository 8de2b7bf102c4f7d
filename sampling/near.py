"""Answers that say nearly the same words: a second rule of distinctness, which a requester may ask for.

The bag (sampling.duplicates) takes two answers for one where their words are the same. This rule takes
them for one also where their letters nearly are: a slip of the pen, one more word, another ending.

    nearness(a, b) = 1 - d / (|a| + |b|),  d = insertions and deletions that make one of the other

over the texts lower-cased, with white space made one space: the normalised Indel similarity of rapidfuzz
(its `fuzz.ratio` / 100), 2·LCS / (|a| + |b|) with LCS the longest common subsequence. It is in [0, 1], and
1 for equal texts.

Two letters may be all that parts yes from no. So texts of which one holds a negation, a word of number or
a number that the other lacks are never near, whatever their letters: `It is (not) legal`, `in 1914` and
`in 1915`, `two legs` and `ten legs`. That is a list of English words; a date in words of another language
is not seen. This is why `groups` is shown before a pool is drawn, and why what is merged is only
*represented*: it inherits no verdict.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel

from sampling.duplicates import NEGATIONS, NUMBER_WORDS, tokens, words_of

# Where a requester who asks for the rule begins. See docs/adr/0007-near-duplicates.md.
NEAR = 0.95

_NUMERALS = words_of("""
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds
    thousand thousands million millions billion billions trillion trillions dozen dozens half twice
    first second third fourth fifth sixth seventh eighth ninth tenth never none neither nothing nobody
    without cannot
    """)
_TELLING = NEGATIONS | NUMBER_WORDS | _NUMERALS
# 3.5 is not 35, and 1-2 not 12.
_NUMBER = re.compile(r"[+-]?\d+(?:[.,:/-]\d+)*")


@dataclass(frozen=True, slots=True)
class Text:
    """A text made ready for comparison."""

    plain: str
    telling: Counter[str]  # numbers, negations and words of number, as often as they come


@dataclass(frozen=True, slots=True)
class Merged:
    text: str
    nearness: float  # to the text that is kept


@dataclass(frozen=True, slots=True)
class Group:
    """`kept` stands for `merged`, which were near to it and came later in the order given."""

    kept: str
    merged: tuple[Merged, ...]


def ready(text: str) -> Text:
    plain = " ".join(unicodedata.normalize("NFC", text).lower().split())
    words = [word for word in tokens(plain) if word in _TELLING]
    return Text(plain, Counter([*words, *_NUMBER.findall(plain)]))


def nearness(one: str, other: str) -> float:
    """How near two texts are, 0 to 1; 0 where their numbers or negations differ."""
    return _nearness(ready(one), ready(other), 0.0)


def groups(texts: Sequence[str], least: float) -> list[Group]:
    """The texts, each with those that go with it: what the rule makes of them.

    In the order given, a text joins the first-named kept text to which it is nearest, if it is at least
    `least` near to it; otherwise it is kept itself. So the order decides which text is kept (selection
    gives the highest score first, ties by text), every merged text is near to the one that stands for it,
    and two merged into one may be less near to each other. Equal texts merge too.
    """
    kept: list[tuple[str, Text, list[Merged]]] = []
    for text in texts:
        prepared = ready(text)
        nearest, goes_with = 0.0, None
        for _, other, merged in kept:
            found = _nearness(prepared, other, least)
            if found >= least and found > nearest:
                nearest, goes_with = found, merged
        if goes_with is None:
            kept.append((text, prepared, []))
        else:
            goes_with.append(Merged(text, nearest))
    return [Group(text, tuple(merged)) for text, _, merged in kept]


def stands_for(found: Iterable[Group]) -> dict[str, str]:
    """Each text that was merged -> the text that is kept for it."""
    return {merged.text: group.kept for group in found for merged in group.merged}


def _nearness(one: Text, other: Text, least: float) -> float:
    """Where it is below `least` it may be told lower still: rapidfuzz then stops early."""
    if one.telling != other.telling:
        return 0.0
    n = len(one.plain) + len(other.plain)
    # One division of whole numbers, so that .55 asked for is .55 found.
    most = int(n * (1 - least)) + 1
    return (n - Indel.distance(one.plain, other.plain, score_cutoff=most)) / n if n else 1.0
