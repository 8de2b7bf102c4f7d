"""docs/png.py: a picture is packed tighter, and stays what it was."""

import random
import struct
import zlib

import pytest

from docs import png

WIDTH, HEIGHT = 7, 10


def filtered(pixels: list[bytes], size: int) -> bytes:
    """The rows, each by another filter than the one above."""
    found, above = b"", bytes(WIDTH * size)
    for number, row in enumerate(pixels):
        kind = number % len(png.PREDICTIONS)
        beside, corners = bytes(size) + row, bytes(size) + above
        guesses = (
            png.PREDICTIONS[kind](beside[place], above[place], corners[place])
            for place in range(len(row))
        )
        differences = (byte - guess for byte, guess in zip(row, guesses, strict=True))
        found += bytes([kind]) + bytes(each & 0xFF for each in differences)
        above = row
    return found


def picture(data: bytes, colours: int, depth: int = 8) -> bytes:
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, depth, colours, 0, 0, 0)
    middle = len(data) // 2
    compressed = zlib.compress(data)
    parts = (
        (b"IHDR", header),
        (b"IDAT", compressed[:middle]),
        (b"IDAT", compressed[middle:]),
        (b"IEND", b""),
    )
    return png.SIGNATURE + b"".join(png.chunk(name, part) for name, part in parts)


@pytest.mark.parametrize(("colours", "size"), png.PIXEL_BYTES.items())
def test_every_pixel_stays_whatever_the_filters_of_the_rows(colours, size):
    drawn = random.Random(1)
    pixels = [drawn.randbytes(WIDTH * size) for _ in range(HEIGHT)]

    found = png.packed(picture(filtered(pixels, size), colours))

    assert found == picture_of(pixels, colours)


def picture_of(pixels: list[bytes], colours: int) -> bytes:
    """The picture without filters, packed as tightly as zlib can."""
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, colours, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in pixels), 9)
    parts = ((b"IHDR", header), (b"IDAT", data), (b"IEND", b""))
    return png.SIGNATURE + b"".join(png.chunk(name, part) for name, part in parts)


@pytest.mark.parametrize(
    ("left", "above", "corner", "nearest"),
    [(1, 2, 3, 1), (9, 9, 9, 9), (0, 10, 4, 4), (5, 1, 4, 1)],
)
def test_the_fourth_filter_is_paeths(left, above, corner, nearest):
    assert png.PREDICTIONS[4](left, above, corner) == nearest


def test_a_picture_that_is_stored_otherwise_is_refused():
    with pytest.raises(ValueError, match="not stored as Chromium"):
        png.packed(picture(b"\0" * 100, colours=0))
