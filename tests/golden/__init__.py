"""Golden copies: what must stay the same while modules are moved and renamed.

    urls.json       every URL name, the API's with its namespace, with its routes
    commands.json   every command of the project, with its options and the digest of its help
    schema.json     the OpenAPI schema of the API
    folders.json    size and sha256 of each file of the releases and comparisons that `folders` builds

After a change that is meant, `python -m tests.golden` writes them anew and prints what changed. Without the
shared task's files (tests/real_data.py) it keeps what folders.json says of the folders of the real data.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def golden(name: str) -> Any:
    return json.loads(_file(name).read_text(encoding="utf-8"))


def write(name: str, value: object) -> None:
    written = json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True)
    _file(name).write_text(written + "\n", encoding="utf-8")


def _file(name: str) -> Path:
    return HERE / f"{name}.json"


def differences(before: object, after: object) -> list[str]:
    """One line for each value that is in one of them only or differs; values that JSON can hold."""
    old, new = dict(_leaves(before)), dict(_leaves(after))
    return [
        f"{path}: was {old.get(path, 'not there')}, is {new.get(path, 'not there')}"
        for path in sorted(old.keys() | new.keys())
        if old.get(path) != new.get(path)
    ]


def _leaves(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _leaves(inner, f"{path} > {key}" if path else str(key))
    elif isinstance(value, list | tuple) and value:
        for number, inner in enumerate(value):
            yield from _leaves(inner, f"{path}[{number}]")
    else:
        yield path, json.dumps(value, ensure_ascii=False)
