"""The tables of a release as rows of texts, as docs/report.md says that they are read."""

from pathlib import Path

import pandas as pd

Rows = list[dict[str, str]]


def table(folder: Path, name: str) -> Rows:
    read = pd.read_csv(folder / f"{name}.csv", dtype=str, keep_default_na=False, na_filter=False)
    return [{str(key): str(cell) for key, cell in row.items()} for row in read.to_dict("records")]


def conversation_of(turn: str) -> str:
    """Up to and with the last underscore; all of it where there is none."""
    *before, _ = turn.split("_")
    return "_".join([*before, ""]) if before else turn


def only(rows: Rows, column: str) -> str | None:
    """The one value of a column; None where there are no rows."""
    values = {row[column] for row in rows}
    assert len(values) <= 1, f"{column} has several values: {values}"
    return next(iter(values), None)


def n_distinct(rows: Rows, *columns: str) -> int:
    return len({tuple(row[column] for column in columns) for row in rows})
