"""JSON in one form: the same value gives the same bytes on every machine.

UTF-8 without escapes beyond those that JSON requires, indented by 1, keys sorted by code point, one
newline at the end. NaN and infinities are not JSON and raise ValueError, as does text that UTF-8
cannot encode (a lone surrogate). A key that is not a text raises TypeError: `json` would turn it
into a text, and two keys could become equal.
"""

import json
from collections.abc import Iterator, Mapping


def parts(value: object) -> Iterator[str]:
    """Yield the text in small parts: together they may be larger than the value."""
    _refuse_other_keys(value)
    encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, indent=1, sort_keys=True)
    yield from encoder.iterencode(value)
    yield "\n"


def text(value: object) -> str:
    return "".join(parts(value))


def contents(value: object) -> bytes:
    return text(value).encode("utf-8")


def _refuse_other_keys(value: object) -> None:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise TypeError(f"the key {key!r} is not a text")
            _refuse_other_keys(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            _refuse_other_keys(inner)
