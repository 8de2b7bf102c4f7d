"""Problems of a file: each with its place, and one exception that holds them all."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

N_PRINTED = 50
LONGEST_VALUE = 60


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem, printed as one line: `truth.json: record 12: Truth_answer: 3 is not text`.

    `unit` says what `index` counts, from 1: "record", an element of a JSON list; "line", a line of
    a JSON Lines file; "row", a row of a table as a spreadsheet counts it (the header is row 1, a
    quoted cell with line ends in it is still one row). `index` None is the file as a whole.
    """

    file: str
    unit: str
    index: int | None
    field: str
    value: str
    message: str

    def __str__(self) -> str:
        place = "" if self.index is None else f"{self.unit} {self.index}"
        sentence = f"{self.value} {self.message}".strip()
        return _one_line(
            ": ".join(part for part in (self.file, place, self.field, sentence) if part)
        )


class ImportProblems(Exception):  # noqa: N818  it holds many
    """All problems of a file, in the order of the file.

    Prints the first 50 and the number of the others. Problems of several files are in the order of
    the files.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        sorted_problems = list(problems)
        place_of = {
            file: place
            for place, file in enumerate(dict.fromkeys(each.file for each in sorted_problems))
        }
        sorted_problems.sort(key=lambda problem: (place_of[problem.file], problem.index or 0))
        self.problems = tuple(sorted_problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        lines = [str(problem) for problem in self.problems[:N_PRINTED]]
        n_more = len(self.problems) - len(lines)
        return "\n".join([*lines, f"and {n_more} more"] if n_more else lines)


@dataclass
class Report:
    """The problems of one file while it is read."""

    file: str
    unit: str
    problems: list[Problem] = field(default_factory=list)

    def add(
        self, message: str, *, index: int | None = None, field: str = "", value: str = ""
    ) -> None:
        self.problems.append(Problem(self.file, self.unit, index, field, value, message))

    def finish(self) -> None:
        if self.problems:
            raise ImportProblems(self.problems)


def json_excerpt(value: object) -> str:
    """Return the value as JSON, shortened; for a list or an object only its type."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, str) and len(value) > LONGEST_VALUE:
        return f'"{value[:LONGEST_VALUE]}…"'
    return json.dumps(value, ensure_ascii=False)


def _one_line(text: str) -> str:
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
