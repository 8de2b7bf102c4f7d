"""Runs and setups in one table, as Table 7 of CLAP-NQ (Rosenthal et al. 2024), and that in LaTeX.
Imports no Django.

A row is a run. Its cells are, for each setup, faithful, appropriate, F+A, win-rate (a tie counts
nothing), length and unanswerable accuracy: figures of `exports.comparison.figures`, or None if the
run is not in the setup.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from exports.comparison.tables import win_rate
from exports.rows.per_run import KINDS
from text.latex import MIDRULE, escaped, row, stacked, table

Json = Mapping[str, Any]
Unit = Literal["rating", "share", "length"]


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    head: str
    unit: Unit  # a rating from 1 to 4, a share, or characters
    value_noun: str = ""  # the noun for n_values; empty where they are the questions


COLUMNS = (
    Column("faithful", "Faithful", "rating", "rating"),
    Column("appropriate", "Appropriate", "rating", "rating"),
    Column("both", "F+A", "rating", "rating"),
    Column("win_rate", "Win-rate", "share", "comparison"),
    Column("length", "Length", "length"),
    Column("unanswerable_accuracy", "Unanswerable accuracy", "share"),
)


FOR_THESE = "for the people who judged only, of whom there are fewer than three"


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure of a column; None if the run is not in the setup."""

    column: Column
    figure: Json | None


@dataclass(frozen=True, slots=True)
class Row:
    run: str
    kind: str
    cells: tuple[tuple[Cell, ...], ...]  # by setup


def rows(result: Json) -> list[Row]:
    """The runs of all setups: systems, then baselines, then references, each by name."""
    kinds = {run["run"]: run["kind"] for setup in result["setups"] for run in setup["runs"]}
    ordered = sorted(kinds, key=lambda run: (KINDS.index(kinds[run]), run))
    return [
        Row(run, kinds[run], tuple(_cells(setup, run) for setup in result["setups"]))
        for run in ordered
    ]


@dataclass(frozen=True, slots=True)
class SetupRow:
    """A run in one setup; without cells if it is not in the setup."""

    run: str
    kind: str
    cells: tuple[Cell, ...]


def setup_rows(result: Json) -> list[tuple[str, list[SetupRow]]]:
    """The setups with their names and a row for every run of any setup."""
    found = rows(result)
    return [
        (name, [SetupRow(row.run, row.kind, _cells_with_figure(row.cells[place])) for row in found])
        for place, name in enumerate(setup_names(result["setups"]))
    ]


def _cells_with_figure(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    return tuple(cell for cell in cells if cell.figure is not None)


def _cells(setup: Json, run: str) -> tuple[Cell, ...]:
    names = [each["run"] for each in setup["runs"]]
    place = names.index(run) if run in names else None
    return tuple(
        Cell(column, None if place is None else figure(setup, place, column.name))
        for column in COLUMNS
    )


def figure(setup: Json, place: int, name: str) -> Json:
    """The figure of this name of the run at this place in the setup."""
    if name == "win_rate":
        return win_rate(setup["win_rates"]["zero"]["rates"][place])
    of_run = setup["scales"][place]
    found: Json = of_run[name] if name in of_run else setup["automatic"]["runs"][place][name]
    return found


def value_text(value: float, unit: Unit) -> str:
    """The value as text: 2.99, 67.5 % or 213, by unit."""
    if unit == "share":
        return f"{100 * value:.1f} %"
    return f"{value:.2f}" if unit == "rating" else f"{value:.0f}"


def setup_names(setups: Sequence[Json]) -> list[str]:
    """The names of the setups, such as Gold passages, with their pool's name if two would be equal."""
    words = [_setup_name(setup["setup"]) for setup in setups]
    return [
        f"{each}: {setup['pool']}" if words.count(each) > 1 else each
        for each, setup in zip(words, setups, strict=True)
    ]


def _setup_name(setup: str) -> str:
    return f"{setup.capitalize()} passages" if setup else "Answers"


def latex(result: Json) -> str:
    """A LaTeX `table*` with the figures and their 95 % intervals. It needs booktabs.

    An interval of people's judgements is that for people like them. One that is for these people
    only has a dagger.
    """
    names, width = setup_names(result["setups"]), len(COLUMNS)
    caption = (
        "Human judgements of the runs: faithful and appropriate from 1 to 4 on answerable questions,"
        " F+A their harmonic mean in each rating, the win rate with ties = 0, on all questions; length in"
        f" characters; in brackets 95\\,\\% intervals ({_interval_words(result)}; of unanswerable accuracy"
        " Wilson's). "
    ) + escaped(" ".join(result["notes"]))
    lines = [
        row("", *(f"\\multicolumn{{{width}}}{{c}}{{{escaped(name)}}}" for name in names)),
        row("Run", *(column.head for _ in names for column in COLUMNS)),
        MIDRULE,
        *(
            row(escaped(each.run), *(_cell(cell) for cells in each.cells for cell in cells))
            for each in rows(result)
        ),
    ]
    return table(caption, width * len(names), lines, environment="table*")


def _interval_words(result: Json) -> str:
    figures = [
        cell.figure
        for each in rows(result)
        for cells in each.cells
        for cell in cells
        if cell.figure is not None and cell.figure.get("people_interval")
    ]
    over_questions = "Student's t over questions"
    if not figures:
        return over_questions
    dagger = f"; $\\dagger$ {FOR_THESE}" if any(map(_is_for_these, figures)) else ""
    return (
        "of ratings and the win rate for questions and people like these, Student's t over both"
        f"{dagger}; of length {over_questions}"
    )


def _is_for_these(figure: Json) -> bool:
    """Whether people judged, and there is an interval for them but none for people like them."""
    people = figure.get("people_interval")
    return bool(people and people["low"] is None and figure["interval"]["low"] is not None)


def _cell(cell: Cell) -> str:
    if cell.figure is None or cell.figure["value"] is None:
        return "--"
    unit, people = cell.column.unit, cell.figure.get("people_interval")
    interval = people if people and people["low"] is not None else cell.figure["interval"]
    value = _latex_text(value_text(cell.figure["value"], unit))
    if interval["low"] is None:
        return value
    low, high = (_latex_text(value_text(interval[end], unit)) for end in ("low", "high"))
    dagger = "$^\\dagger$" if _is_for_these(cell.figure) else ""
    return stacked(value, f"[{low}, {high}]{dagger}")


def _latex_text(text: str) -> str:
    return text.replace(" %", "\\,\\%")
