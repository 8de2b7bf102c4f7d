"""White space that says nothing."""

import unicodedata


def folded(text: str) -> str:
    """The text in NFC, with single spaces for every run of white space and none around it.

    >>> folded("  one\\n two ")
    'one two'
    """
    return " ".join(unicodedata.normalize("NFC", text).split())
