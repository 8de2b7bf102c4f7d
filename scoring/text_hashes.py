"""What a computed score belongs to: texts, by hash. Plain Python."""

import hashlib
from collections.abc import Iterable


def stripped(text: str) -> str:
    """The text as it is compared, shown and hashed: without outer white space."""
    return text.strip()


def text_sha256(text: str) -> str:
    return hashlib.sha256(stripped(text).encode("utf-8")).hexdigest()


def references_sha256(references: Iterable[str]) -> str:
    """Of the set of references: neither order nor repetition counts."""
    hashes = sorted({text_sha256(reference) for reference in references})
    return hashlib.sha256("\n".join(hashes).encode("ascii")).hexdigest()
