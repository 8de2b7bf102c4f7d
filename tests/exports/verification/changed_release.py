"""Single changes of a release's folder, and the manifest written to match them."""

import csv
import json
import shutil
from pathlib import Path
from typing import Any

from pages.csv_lines import line
from tests.exports.verification.made_releases.folder import (
    read_manifest,
    write_manifest,
    write_release,
)
from tests.exports.verification.made_releases.rows import made_rows
from tests.exports.verification.made_releases.source import Size

SMALL = Size(n_turns=12, n_runs=4, n_people=5, n_wanted=3, has_sentences=True)


def release(folder: Path, seed: int = 4, rule: str = "majority", size: Size = SMALL) -> Path:
    return write_release(folder, made_rows(seed, rule=rule, size=size), seed=seed)


def copied(release: Path, folder: Path) -> Path:
    return Path(shutil.copytree(release, folder))


def sign(folder: Path) -> None:
    """Make the manifest match the files, as somebody does who does not want to be found out."""
    write_manifest(folder, read_manifest(folder))


def rows_of(folder: Path, name: str) -> list[list[str]]:
    with (folder / name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def write_rows(folder: Path, name: str, rows: list[list[str]]) -> None:
    (folder / name).write_text("".join(map(line, rows)), encoding="utf-8", newline="")


def change_cell(folder: Path, name: str, column: str, value: str, **having: str) -> None:
    """Give the first row with these cells another value in the column."""
    header, *rows = rows_of(folder, name)
    row = next(
        row for row in rows if all(row[header.index(key)] == cell for key, cell in having.items())
    )
    assert row[header.index(column)] != value
    row[header.index(column)] = value
    write_rows(folder, name, [header, *rows])


def load(folder: Path, name: str) -> Any:
    return json.loads((folder / name).read_text(encoding="utf-8"))


def store(folder: Path, name: str, value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    (folder / name).write_text(text, encoding="utf-8")


def change_json(folder: Path, name: str, path: tuple[Any, ...], value: Any) -> None:
    whole = load(folder, name)
    place = whole
    for key in path[:-1]:
        place = place[key]
    assert place[path[-1]] != value
    place[path[-1]] = value
    store(folder, name, whole)
