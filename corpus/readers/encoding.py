"""Detection of files that are not UTF-8."""

import codecs
from pathlib import Path

from corpus.problems import Report

CHUNK = 1 << 20
# UTF-32 little-endian begins with the mark of UTF-16 little-endian, so it is asked first.
MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
# Files of other programs, by their first bytes, and what to do with them.
PACKED = (
    (b"PK\x03\x04", "this is a ZIP archive (or a spreadsheet's or word processor's file)"),
    (b"\x1f\x8b", "this is a gzip file"),
    (b"BZh", "this is a bzip2 file"),
    (b"\xfd7zXZ", "this is an xz file"),
)


def is_utf8(path: Path, report: Report) -> bool:
    """Return whether the file is UTF-8, with or without a byte order mark.

    Reports what else it seems to be.
    """
    if packed := _packed(path):
        report.add(f"{packed}: unpack it, and send the text file that is in it")
        return False
    other = _other_encoding(path)
    if other:
        report.add(f"the file is {other}; save it as UTF-8")
        return False
    bad = _first_bad_byte(path)
    if bad is not None:
        offset, line = bad
        report.add(
            f"the file is not UTF-8: the byte at offset {offset} (from 0), in line {line}, cannot be read; it may be"
            " Latin-1 or Windows-1252: save it as UTF-8"
        )
        return False
    return True


def _packed(path: Path) -> str:
    with path.open("rb") as file:
        beginning = file.read(8)
    return next((what for mark, what in PACKED if beginning.startswith(mark)), "")


def _other_encoding(path: Path) -> str | None:
    with path.open("rb") as file:
        beginning = file.read(4)
    for mark, name in MARKS:
        if beginning.startswith(mark):
            return name
    # Every file that is read here begins with ASCII; in UTF-16 without a mark one of its two bytes is zero.
    return "UTF-16 without a mark" if beginning[:2].count(0) == 1 else None


def _first_bad_byte(path: Path) -> tuple[int, int] | None:
    """The offset, from 0, and the line, from 1, of the first byte that is not UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    n_read, line = 0, 1
    with path.open("rb") as file:
        while True:
            chunk = file.read(CHUNK)
            n_pending = len(decoder.getstate()[0])
            try:
                decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                # What is pending of the chunk before is no line break.
                ahead = chunk[: max(0, error.start - n_pending)]
                return n_read - n_pending + error.start, line + ahead.count(b"\n")
            if not chunk:
                return None
            n_read += len(chunk)
            line += chunk.count(b"\n")


def begins_with(path: Path, character: str) -> bool:
    """Return whether it is the first visible character of the file."""
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        return file.read(1024).lstrip().startswith(character)
