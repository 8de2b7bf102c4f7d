r"""Bags of words, by which two answers count as the same (semantics: "Candidates").

    text -> tokens `[^\W_]+` with their marks, lower-cased -> stop words out -> Snowball English stems -> Bag

| kind    | stop words left out                          | a word twice | so that                           |
| ------- | -------------------------------------------- | ------------ | --------------------------------- |
| default | NLTK's without negations and words of number | counts twice | "it is not legal" ≠ "it is legal" |
| paper   | all of NLTK's                                | counts once  | "it is not legal" = "it is legal" |

A letter keeps its combining marks (docs/adr/README.md, 8). In a script without spaces the
text between two punctuation marks is one token, because words in any order are one bag: of
characters "dog bites man" would be "man bites dog".

Word order does not count in either kind. A text without remaining words (stop words or punctuation
only) is compared by its normalised text (lower-cased, outer white space removed, inner white space
one space), so "It is." and "?" are different; the empty text's bag is empty.

>>> bag("Nurses follow models.") == bag("the nurse follows a model")
True

Wrong: bag("Dogs chase cats") equals bag("Cats chase dogs"): only a person sees the difference. Nor
are words of comparison kept ("over 50" = "under 50"); such an answer is represented and inherits no
verdict.

Source: the shared task's notebooks compared sets of lemmas without stop words by another tool
(spaCy), so "paper" comes near to their pools but need not repeat them text by text.
"""

import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

# Not `snowballstemmer.stemmer(...)`: that hands over to PyStemmer where it happens to be installed, with
# that package's version of the algorithm; the same rule has to draw the same pool on every machine.
from snowballstemmer.english_stemmer import EnglishStemmer

BagKind = Literal["default", "paper"]
BAG_KINDS: tuple[BagKind, ...] = get_args(BagKind)


def word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Source: the English list of the NLTK stopwords corpus (Snowball's list, augmented by nltk_data issue 22;
# 179 forms). Its 26 forms with an apostrophe are not written out: tokens end at the apostrophe, and each
# piece is among the 153 here.
NLTK_STOP_WORDS = word_set("""
    i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her
    hers herself it its itself they them their theirs themselves what which who whom this that these
    those am is are was were be been being have has had having do does did doing a an the and but if or
    because as until while of at by for with about against between into through during before after
    above below to from up down in out on off over under again further then once here there when where
    why how all any both each few more most other some such no nor not only own same so than too very
    s t can will just don should now d ll m o re ve y ain aren couldn didn doesn hadn hasn haven isn ma
    mightn mustn needn shan shouldn wasn weren won wouldn
    """)

# Without these two texts could be the same bag and say the contrary. The pieces are what a token leaves
# of "isn't" and its like ("t" is the second half of all of them); that "won" and "don" are also words
# of their own only makes one more answer that somebody is asked about.
NEGATIONS = word_set("""
    no nor not t ain aren couldn didn doesn don hadn hasn haven isn mightn mustn needn shan shouldn wasn
    weren won wouldn
    """)

# Words that say how many or how often: "all swans are white" is not "some swans are white". NLTK lists
# no numeral ("one", "two", digits); those are content anyway.
NUMBER_WORDS = word_set("all any both each few more most once some")

_STOP_WORDS = {
    "default": NLTK_STOP_WORDS - NEGATIONS - NUMBER_WORDS,
    "paper": NLTK_STOP_WORDS,
}
# The marks that combine with letters (categories Mn and Mc), as far as scripts in use go. Those that only
# choose how a sign looks are none.
_MARKS = "".join(
    chr(code)
    for code in range(0x300, 0x12000)
    if unicodedata.category(chr(code)) in ("Mn", "Mc") and not 0xFE00 <= code <= 0xFE0F
)
# Of ASCII, the same by a table: letters in lower case, digits, and all else as what parts them.
_ASCII = {code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)}
_TOKEN = re.compile(rf"[^\W_]+(?:[{_MARKS}]+[^\W_]*)*")


class Bag(NamedTuple):  # a tuple is made and compared many times faster than a frozen dataclass
    """Equal bags = the same answer. `text` is set only if no word is left to compare."""

    stems: tuple[str, ...]  # sorted; kind "default" keeps repeats, kind "paper" does not
    text: str = ""


def bag(text: str, kind: BagKind = "default") -> Bag:
    """Return the bag. Bags of different kinds are not comparable."""
    stems = list(filter(None, map(_STEMS[kind].__getitem__, tokens(text))))
    if not stems:
        return Bag((), " ".join(text.lower().split()))
    return Bag(tuple(sorted(stems if kind == "default" else set(stems))))


# What tells a text from others in place of its bag; int for most (`distinguishing_keys`).
Key = int | str | Bag


def distinguishing_keys(texts: Iterable[str], kind: BagKind = "default") -> dict[str, Key]:
    """Return a key for each text, equal for texts with equal bags and for no others.

    Keys of different calls are not comparable. Words with the same stem have the same number, so
    texts with the same bag have the same sum, and a text with a unique sum needs no bag: its words
    are neither sorted nor hashed, which is half of the time of drawing a large pool.
    """
    sums = {text: _sum(text, kind) for text in texts}
    if len(set(sums.values())) == len(sums):
        return sums
    often = Counter(sums.values())
    return {text: key if often[key] == 1 else bag(text, kind) for text, key in sums.items()}


def _sum(text: str, kind: BagKind) -> Key:
    """Return the sum of the words' numbers, or the normalised text if no word is left."""
    numbers = map(_NUMBERS[kind].__getitem__, tokens(text))
    return sum(numbers if kind == "default" else set(numbers)) or " ".join(text.lower().split())


def tokens(text: str) -> list[str]:
    """Return the words that bags are made of, lower-cased, each letter with its combining marks.

    Without the marks, `दिन` (day) and `दीन` (poor) would both be the letters द and न. A letter with
    its mark as one character or as two is the same (NFC).
    """
    if text.isascii():  # most are, and this is what takes the time of a large pool
        return text.translate(_ASCII).split()
    return [token.lower() for token in written_words(text)]


def written_words(text: str) -> list[str]:
    """Return the words that bags are made of, in their own case."""
    found: list[str] = _TOKEN.findall(unicodedata.normalize("NFC", text))
    return found


def located_words(text: str) -> list[tuple[int, int, str]]:
    """Return the start and the end of each word, and the word in lower case (NFC)."""
    return [
        (found.start(), found.end(), unicodedata.normalize("NFC", found.group()).lower())
        for found in _TOKEN.finditer(text)
    ]


# Answers to one set of questions share most of their words; the bound keeps a worker's memory in hand.
MOST_STEMS = 1 << 18


class _Stems(dict[str, str]):
    """A cache of each word's stem, "" for a stop word.

    Drawing a large pool is mostly this lookup.
    """

    def __init__(self, stop_words: frozenset[str]) -> None:
        super().__init__()
        self.stop_words = stop_words

    def __missing__(self, word: str) -> str:
        if len(self) >= MOST_STEMS:
            self.clear()
        # A stemmer keeps the word it works on in itself, so threads must not share one.
        stem: str = "" if word in self.stop_words else EnglishStemmer().stemWord(word)
        self[word] = stem
        return stem


_STEMS = {kind: _Stems(words) for kind, words in _STOP_WORDS.items()}


class _Numbers(dict[str, int]):
    """A cache of the number of each word's stem, shared by words with one stem.

    0 for a stop word.
    """

    def __init__(self, stems: _Stems) -> None:
        super().__init__()
        self.stems = stems

    def __missing__(self, word: str) -> int:
        if len(self) >= MOST_STEMS:
            self.clear()
        stem = self.stems[word]
        number = zlib.crc32(stem.encode("utf-8", "surrogatepass")) + 1 if stem else 0
        self[word] = number
        return number


_NUMBERS = {kind: _Numbers(stems) for kind, stems in _STEMS.items()}


def stem(word: str, kind: BagKind = "default") -> str:
    """Return the stem; "" for a stop word. `word` is in lower case."""
    return _STEMS[kind][word]
