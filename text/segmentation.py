r"""Words in scripts without spaces between them: one for each character, with its place.

Chinese, Japanese, Thai, Lao, Khmer, Burmese, Tibetan and their neighbours are written without
spaces between words. If a text has letters of these, each letter with its combining marks is a word
by itself (`โกดัง` -> โ ก ดั ง), and everything else is separated by white space as usual. There is
no dictionary and no model: results do not depend on a version of either, and a match needs no
correct segmentation. Korean is written with spaces and is treated so.

| use                                          | words in such a text | elsewhere                            |
| -------------------------------------------- | -------------------- | ------------------------------------ |
| the search for evidence (`located_segments`) | characters           | the measures' (text.tokens)          |
| caps and reading time (`n_words`)            | characters           | separated by white space             |
| EM, F1, ROUGE                                | runs without a space | as their authors defined them        |
| bags (text.bags)                             | runs without a space | `[^\W_]+` with their marks, stemmed |

The measures stay as they are published, so that their values can be compared. The bags stay because
they ignore order: of characters, "dog bites man" and "man bites dog" would always be one bag.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from text import tokens as spaced

# Silent reading of prose, rounded down from the 238 words a minute of English (Brysbaert 2019), because
# evidence is read to be checked. A character counts as a word: Chinese is read at 255 characters a minute,
# Japanese at 357 (Trauzettel-Klosinski & Dietz 2012), so that the time there is rather too long.
WORDS_PER_MINUTE = 200

_IDEOGRAPHS = "々〆〇\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9d"
_BOPOMOFO = "\u3105-\u312f"
# Blocks of alphabets: Thai, Lao, Tibetan, Burmese, Khmer, Tai Le, New Tai Lue, Tai Tham, Balinese,
# Javanese, and the extensions of Burmese with Tai Viet.
_BLOCKS = (
    *(range(0x0E00, 0x1000), range(0x1000, 0x10A0), range(0x1780, 0x1800), range(0x1950, 0x19E0)),
    *(range(0x1A20, 0x1AB0), range(0x1B00, 0x1B80), range(0xA980, 0xAA00), range(0xAA60, 0xAAE0)),
)


def _letters(*categories: str) -> str:
    characters = (chr(code) for block in _BLOCKS for code in block)
    return "".join(each for each in characters if unicodedata.category(each) in categories)


# Variation selectors and joiners change how a letter looks, not which it is.
_LOOKS = "\ufe00-\ufe0f\U000e0100-\U000e01ef\u200c\u200d"
_BASE = f"[{_IDEOGRAPHS}{_KANA}{_BOPOMOFO}{_letters('Lo', 'Lm')}]"
_CHARACTER = f"{_BASE}[{_letters('Mn', 'Mc')}\u0300-\u036f\u3099\u309a\uff9e\uff9f{_LOOKS}]*"
_OPENING = r"(\[{“‘«「『【〔〈《（［｛"  # noqa: RUF001 - these very marks

# Their punctuation, the wide forms of ASCII's, and the zero-width space that may part words in Thai and Khmer.
_SIGNS = re.compile(
    "[\u200b\u3000-\u3004\u3008-\u3020\u3030\u30a0\u30fb\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uff0f\uff1a-\uff20"
    f"\uff3b-\uff40\uff5b-\uff65{_letters('Po', 'Pd', 'Ps', 'Pe')}]"
)
_UNSPACED = re.compile(_BASE)
# Most texts are wholly of these, which is faster to see: alphabets with spaces, punctuation, symbols.
_SPACED = re.compile("[\x00-\u0e00\u2000-\u2dff]*")
_CHARACTERS = re.compile(_CHARACTER)
_SHAPES = re.compile(f"[{_LOOKS}]")
_UNITS = re.compile(
    rf"[{_OPENING}]*{_CHARACTER}(?:(?![{_OPENING}])[^\w\s])*|(?:(?!{_BASE})\S)+",
)
_SPACED_UNITS = re.compile(r"\S+")


def has_unspaced(text: str) -> bool:
    """Return whether the text has letters of a script that does not separate words by spaces."""
    if text.isascii() or _SPACED.fullmatch(text):
        return False
    return _UNSPACED.search(text) is not None


def units(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of words, or of characters, in `[start, end)` that are not to be cut.

    Punctuation belongs to the word or character next to it. Together they contain every character
    that is not white space, each once.
    """
    pattern = _UNITS if has_unspaced(text[start:end]) else _SPACED_UNITS
    return (unit.span() for unit in pattern.finditer(text, start, end))


def n_words(text: str) -> int:
    """Return the number of words as a reader counts; `"Er sagt 你好。"` has four."""
    if has_unspaced(text):
        return sum(1 for _ in _UNITS.finditer(text))
    return len(text.split())


def reading_seconds(number: float, words_per_minute: float = WORDS_PER_MINUTE) -> float:
    """Return the reading time. Raises ValueError if the speed is not above 0."""
    if not words_per_minute > 0:
        raise ValueError(f"{words_per_minute} words a minute is no speed: it has to be above 0")
    return number * 60 / words_per_minute


def located_segments(text: str) -> tuple[list[str], list[tuple[int, int]]]:
    """Return the words for the search for evidence, and the half-open range of each in `text`.

    Without unspaced letters it is `text.tokens.located_words`. With them each such character is a
    word (compatible forms made one: NFKC), the punctuation of these scripts separates words, the
    rest is `located_words` again, and punctuation alone is not a word. Ranges are in order and
    never overlap.
    """
    if not has_unspaced(text):
        return spaced.located_words(text)
    found: list[str] = []
    places: list[tuple[int, int]] = []
    begin = 0
    for character in _CHARACTERS.finditer(text):
        _add_spaced(text, begin, character.start(), found, places)
        found.append(unicodedata.normalize("NFKC", _SHAPES.sub("", character.group())).lower())
        places.append(character.span())
        begin = character.end()
    _add_spaced(text, begin, len(text), found, places)
    return found, places


def words_and_places(text: str) -> tuple[list[str], Sequence[tuple[int, int]]]:
    """Return the result of `located_segments`, with places computed when they are asked for."""
    return located_segments(text) if has_unspaced(text) else spaced.words_and_places(text)


def searched_words(text: str) -> list[str]:
    """Return the words of `located_segments`."""
    return located_segments(text)[0] if has_unspaced(text) else spaced.words(text)


def _add_spaced(
    text: str, start: int, end: int, found: list[str], places: list[tuple[int, int]]
) -> None:
    if start == end:
        return
    # One character for another, so that the places stay.
    part = _SIGNS.sub(" ", text[start:end])
    for word, (first, last) in zip(*spaced.located_words(part), strict=True):
        if any(map(str.isalnum, word)):
            found.append(unicodedata.normalize("NFKC", word).lower())
            places.append((start + first, start + last))
