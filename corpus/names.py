"""Rules that keep names distinguishable in print: one line, no invisible characters."""

import unicodedata

# Control characters, halves of surrogate pairs (how bytes that are no UTF-8 arrive), ends of lines and
# of paragraphs. Joiners and marks of direction stay: languages are written with them.
UNSEEN = frozenset(("Cc", "Cs", "Zl", "Zp"))


def flaw_of_path(name: str) -> str:
    """Return what is wrong with a name that is a path in addresses, in addition to its flaw()."""
    if "/" in name and {"", ".", ".."} & set(name.split("/")):
        return "has a part between slashes that is empty or means a folder: it has no address"
    return ""


def flaw(name: str) -> str:
    """Return what is wrong with a name, as the predicate of a sentence; empty if nothing is."""
    unseen = next((char for char in name if unicodedata.category(char) in UNSEEN), None)
    if unseen is not None:
        return f"holds U+{ord(unseen):04X}, which cannot be seen or is no text"
    if name != name.strip():
        return "begins or ends with white space"
    if name in (".", ".."):
        return "means a folder: browsers fold it away in an address"
    return ""


def flaw_of_run(name: str) -> str:
    """Return what is wrong with a run's name, as the predicate of a sentence; empty if nothing is."""
    return "has a |, which separates the names of runs in tables" if "|" in name else flaw(name)
