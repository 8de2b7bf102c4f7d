"""The figures of two releases side by side, from their reports. Without Django."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from exports.results.wording import MEASURES

Json = dict[str, Any]
COEFFICIENTS = {"raw": "raw agreement", "alpha": "alpha"}


@dataclass(frozen=True)
class FigureRow:
    """A figure in both releases: {"value", "interval": {"low", "high"}, "reason"}, None where one lacks it."""

    of: str
    name: str
    before: Json | None
    after: Json | None


def figure_rows(old: Json, new: Json, renamed: Mapping[str, str]) -> list[FigureRow]:
    """Return the rates of runs and the agreement in batches. `renamed` has the new names of runs by their old ones."""
    return [*_rates(old, new, renamed), *_agreement(old, new)]


def _rates(old: Json, new: Json, renamed: Mapping[str, str]) -> Iterator[FigureRow]:
    for measure in MEASURES:
        before = {renamed.get(each["run"], each["run"]): each for each in _of(old, measure)}
        after = {each["run"]: each for each in _of(new, measure)}
        for run in sorted(before.keys() | after.keys()):
            yield FigureRow(run, measure, before.get(run), after.get(run))


def _of(report: Json, measure: str) -> list[Json]:
    rates: list[Json] = report["runs"]["measures"][measure]["rates"]
    return rates


def _agreement(old: Json, new: Json) -> Iterator[FigureRow]:
    before, after = _coefficients(old), _coefficients(new)
    for of, name in sorted(before.keys() | after.keys()):
        yield FigureRow(of, name, before.get((of, name)), after.get((of, name)))


def _coefficients(report: Json) -> dict[tuple[str, str], Json]:
    return {
        (f"{batch['batch']}: {question}", words): figures[name]
        for batch in report["batches"]
        for question, figures in batch["agreement"].items()
        for name, words in COEFFICIENTS.items()
    }
