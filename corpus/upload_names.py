"""Names of uploaded files: cleaned, and numbered where several are equal."""

import unicodedata
from collections.abc import Sequence
from itertools import chain, count

from corpus import names

MOST_NAME_BYTES = 200


def unique_names(names: Sequence[str]) -> list[str]:
    """Return the names in their order; the second and later files of a name get their ordinal."""
    apart: list[str] = []
    for name in names:
        numbered = (f"{name} ({_ordinal(n)} file of this name)" for n in count(2))
        apart.append(next(each for each in chain([name], numbered) if each not in apart))
    return apart


def _ordinal(n: int) -> str:
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def safe_name(name: str) -> str:
    """Return the last part of the name without invisible characters, cut to a safe length."""
    last = name.replace("\\", "/").rpartition("/")[2]
    visible = "".join(char for char in last if unicodedata.category(char) not in names.UNSEEN)
    short = visible.encode()[-MOST_NAME_BYTES:].decode(errors="ignore").strip()
    return short if short.strip(".") else "file"
