"""JSON files of a release: the same value gives the same bytes on every machine.

UTF-8 without escapes beyond those that JSON demands, indented by 1, keys sorted by code point, one
newline at the end. NaN and infinities are no JSON: they raise ValueError, as does text that is no UTF-8
(a lone surrogate). Keys are texts; another key raises TypeError, for `json` would turn it into a text
and two could fall together.
"""

import json
from collections.abc import Mapping
from pathlib import Path


def text(value: object) -> str:
    _refuse_other_keys(value)
    written = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1, sort_keys=True)
    return written + "\n"


def write(path: Path, value: object) -> None:
    """Writes the file whole or, where the value cannot be written, not at all."""
    path.write_bytes(text(value).encode("utf-8"))


def _refuse_other_keys(value: object) -> None:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise TypeError(f"the key {key!r} is not a text")
            _refuse_other_keys(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            _refuse_other_keys(inner)
