"""Runs and setups in one table, as CLAP-NQ's Table 7 has them (Rosenthal et al. 2024), and as LaTeX. Plain Python.

A row a run, and for each setup faithful, appropriate, F+A and win-rate (a tie counts nothing), then the length and
the unanswerable accuracy. A cell is a figure of `exports.comparison.figures`; None where the run is not in the setup.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from exports.comparison.tables import win_rate
from exports.rows.per_run import KINDS
from text.latex import MIDRULE, escaped, row, stacked, table

Told = Mapping[str, Any]
How = Literal["rating", "share", "length"]


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    head: str
    how: How  # a rating from 1 to 4, a share, or characters
    of: str = ""  # what its n_values are, where they are not the questions


COLUMNS = (
    Column("faithful", "Faithful", "rating", "rating"),
    Column("appropriate", "Appropriate", "rating", "rating"),
    Column("both", "F+A", "rating", "rating"),
    Column("win_rate", "Win-rate", "share", "comparison"),
    Column("length", "Length", "length"),
    Column("unanswerable_accuracy", "Unanswerable accuracy", "share"),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure with the way it is written; `figure` is None where the run is not in the setup."""

    column: Column
    figure: Told | None


@dataclass(frozen=True, slots=True)
class Row:
    run: str
    kind: str
    cells: tuple[tuple[Cell, ...], ...]  # by setup


def rows(told: Told) -> list[Row]:
    """The runs of all setups: systems, then baselines, then references, each by name."""
    kinds = {run["run"]: run["kind"] for setup in told["setups"] for run in setup["runs"]}
    ordered = sorted(kinds, key=lambda run: (KINDS.index(kinds[run]), run))
    return [
        Row(run, kinds[run], tuple(_cells(setup, run) for setup in told["setups"]))
        for run in ordered
    ]


@dataclass(frozen=True, slots=True)
class OfSetup:
    """A run in one setup; no cells where it is not in it."""

    run: str
    kind: str
    cells: tuple[Cell, ...]


def by_setup(told: Told) -> list[tuple[str, list[OfSetup]]]:
    """The same setup below setup, by what each is called: every run in each."""
    found = rows(told)
    return [
        (name, [OfSetup(row.run, row.kind, _present(row.cells[place])) for row in found])
        for place, name in enumerate(called(told["setups"]))
    ]


def _present(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    return tuple(cell for cell in cells if cell.figure is not None)


def _cells(setup: Told, run: str) -> tuple[Cell, ...]:
    names = [each["run"] for each in setup["runs"]]
    place = names.index(run) if run in names else None
    return tuple(
        Cell(column, None if place is None else figure(setup, place, column.name))
        for column in COLUMNS
    )


def figure(setup: Told, place: int, name: str) -> Told:
    """Of the run at this place of the setup."""
    if name == "win_rate":
        return win_rate(setup["win_rates"]["zero"]["rates"][place])
    of_run = setup["scales"][place]
    found: Told = of_run[name] if name in of_run else setup["automatic"]["runs"][place][name]
    return found


def written(value: float, how: How) -> str:
    """2.99 · 67.5 % · 213."""
    if how == "share":
        return f"{100 * value:.1f} %"
    return f"{value:.2f}" if how == "rating" else f"{value:.0f}"


def called(setups: Sequence[Told]) -> list[str]:
    """What each setup is called: gold passages, or with the pool's name where several are alike."""
    words = [_in_words(setup["setup"]) for setup in setups]
    return [
        f"{each}: {setup['pool']}" if words.count(each) > 1 else each
        for each, setup in zip(words, setups, strict=True)
    ]


def _in_words(setup: str) -> str:
    return f"{setup.capitalize()} passages" if setup else "Answers"


def latex(told: Told) -> str:
    """A `table*`: each figure, below it its 95 % interval. Needs booktabs."""
    names, width = called(told["setups"]), len(COLUMNS)
    caption = (
        "What people said of the runs: faithful and appropriate from 1 to 4 on answerable questions,"
        " F+A their harmonic mean in each rating, the win-rate with a tie counting nothing; length in characters;"
        " in brackets 95\\,\\% intervals (bootstrap over questions,"
        f" {told['bootstrap']['replicates']} replicates)."
    )
    lines = [
        row("", *(f"\\multicolumn{{{width}}}{{c}}{{{escaped(name)}}}" for name in names)),
        row("Run", *(column.head for _ in names for column in COLUMNS)),
        MIDRULE,
        *(
            row(escaped(each.run), *(_cell(cell) for cells in each.cells for cell in cells))
            for each in rows(told)
        ),
    ]
    return table(caption, width * len(names), lines, environment="table*")


def _cell(cell: Cell) -> str:
    if cell.figure is None or cell.figure["value"] is None:
        return "--"
    how, interval = cell.column.how, cell.figure["interval"]
    value = _tex(written(cell.figure["value"], how))
    if interval["low"] is None:
        return value
    low, high = (_tex(written(interval[end], how)) for end in ("low", "high"))
    return stacked(value, f"[{low}, {high}]")


def _tex(text: str) -> str:
    return text.replace(" %", "\\,\\%")
