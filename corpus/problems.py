"""Problems of a file: each with its place, and one exception that holds them all."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

N_PRINTED = 50
# What is kept of a file's problems; the others are counted. A whole file may be of the wrong kind.
MOST_KEPT = 1_000
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
    """The problems of a file, in the order of the file: the first MOST_KEPT, and `n`, how many there are.

    Prints the first 50 and the number of the others. Problems of several files are in the order of
    the files.
    """

    def __init__(self, problems: Iterable[Problem], n: int | None = None) -> None:
        """`n` is given where `problems` are only the first."""
        sorted_problems = list(problems)
        self.n = len(sorted_problems) if n is None else n
        place_of = {
            file: place
            for place, file in enumerate(dict.fromkeys(each.file for each in sorted_problems))
        }
        sorted_problems.sort(key=lambda problem: (place_of[problem.file], problem.index or 0))
        self.problems = tuple(sorted_problems[:MOST_KEPT])
        super().__init__(self.problems, self.n)

    def __str__(self) -> str:
        lines = [str(problem) for problem in self.problems[:N_PRINTED]]
        n_more = self.n - len(lines)
        return "\n".join([*lines, f"and {n_more} more"] if n_more else lines)

    @classmethod
    def of_files(cls, found: "Iterable[ImportProblems]") -> "ImportProblems":
        """Return the problems of several files as one."""
        parts = list(found)
        return cls(
            (each for part in parts for each in part.problems), sum(each.n for each in parts)
        )


@dataclass
class Report:
    """The problems of one file while it is read: the first MOST_KEPT, and `n`, how many there are."""

    file: str
    unit: str
    problems: list[Problem] = field(default_factory=list)
    n: int = 0

    def add(
        self, message: str, *, index: int | None = None, field: str = "", value: str = ""
    ) -> None:
        self.n += 1
        if self.n <= MOST_KEPT:
            self.problems.append(Problem(self.file, self.unit, index, field, value, message))

    def finish(self) -> None:
        if self.n:
            raise ImportProblems(self.problems, self.n)


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
