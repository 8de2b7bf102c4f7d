"""What a name must be to be told from others wherever it is printed: one line, nothing in it unseen."""

import unicodedata

# Control characters, halves of surrogate pairs (how bytes that are no UTF-8 arrive), ends of lines and
# of paragraphs. Joiners and marks of direction stay: languages are written with them.
UNSEEN = frozenset(("Cc", "Cs", "Zl", "Zp"))


def flaw_of_path(name: str) -> str:
    """What is wrong with a name that stands in an address with its slashes, besides its flaw()."""
    if "/" in name and {"", ".", ".."} & set(name.split("/")):
        return "has a part between slashes that is empty or means a folder: it has no address"
    return ""


def flaw(name: str) -> str:
    """What is wrong with a name, to stand after it or its field; "" where nothing is."""
    unseen = next((char for char in name if unicodedata.category(char) in UNSEEN), None)
    if unseen is not None:
        return f"holds U+{ord(unseen):04X}, which cannot be seen or is no text"
    if name != name.strip():
        return "begins or ends with white space"
    if name in (".", ".."):
        return "means a folder: browsers fold it away in an address"
    return ""
