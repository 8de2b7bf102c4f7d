"""JSON files of a release, in the form of text.canonical_json."""

from pathlib import Path

from text.canonical_json import contents, parts, text

__all__ = ["contents", "parts", "text", "write"]


def write(path: Path, value: object) -> None:
    """Write the file, or nothing if the value cannot be written."""
    path.write_bytes(contents(value))
