"""The file of a person's data: one JSON object, written in pieces. Imports no Django.

UTF-8. A section that is an iterator becomes a list with one entry a line, and is never whole in
memory.
"""

import json
from collections.abc import Iterator, Mapping
from typing import IO, Any


def write(file: IO[bytes], sections: Mapping[str, Any]) -> None:
    file.write(b"{")
    for number, (name, section) in enumerate(sections.items()):
        file.write(f"{',' if number else ''}\n{_json(name)}: ".encode())
        if isinstance(section, Iterator):
            _write_list(file, section)
        else:
            file.write(_json(section).encode())
    file.write(b"\n}\n")


def _write_list(file: IO[bytes], entries: Iterator[Any]) -> None:
    file.write(b"[")
    for number, entry in enumerate(entries):
        file.write(f"{',' if number else ''}\n{_json(entry)}".encode())
    file.write(b"]")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
