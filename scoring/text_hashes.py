"""The hashes of texts by which computed scores are stored."""

import hashlib
from collections.abc import Iterable


def stripped(text: str) -> str:
    """The text without outer white space, as it is compared, shown and hashed."""
    return text.strip()


def text_sha256(text: str) -> str:
    return stripped_sha256(stripped(text))


def stripped_sha256(text: str) -> str:
    """The hash of a text that has no outer white space."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def references_sha256(references: Iterable[str]) -> str:
    """The hash of the set of references: order and repetition do not matter."""
    hashes = sorted({text_sha256(reference) for reference in references})
    return hashlib.sha256("\n".join(hashes).encode("ascii")).hexdigest()
