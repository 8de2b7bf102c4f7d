"""The answers on whose scores two evaluators differ most. Imports no Django."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields

from pages.csv_lines import Cell

LEAST = 1e-9


@dataclass(frozen=True, slots=True)
class Difference:
    """An answer with the scores that two evaluators give it.

    The fields are the columns of the file, but for `turn`, which is the key of the question's page.
    """

    turn: int
    turn_id: str
    run: str
    first: float
    second: float
    difference: float
    is_refusal: bool
    question: str
    reference: str
    answer: str


COLUMNS = tuple(field.name for field in fields(Difference) if field.name != "turn")
ABOUT = ("data_set", "measure", "first_evaluator", "second_evaluator")


@dataclass(frozen=True)
class Differences:
    """The answers that both evaluators scored, those with the greatest differences first.

    `label` is the measure's name for people; `n_both` is how many answers both scored, of which `rows` may be the first.
    """

    dataset: str
    measure: str
    label: str
    first: str
    second: str
    n_both: int
    rows: Sequence[Difference]

    @property
    def csv_columns(self) -> tuple[str, ...]:
        return (*ABOUT, *COLUMNS)

    def csv_rows(self) -> Iterator[tuple[Cell, ...]]:
        about = (self.dataset, self.measure, self.first, self.second)
        for row in self.rows:
            yield (*about, *(getattr(row, column) for column in COLUMNS))


def greatest(differences: Iterable[tuple[int, float]], most: int | None) -> list[int]:
    """Return the keys of the greatest differences, whichever sign they have; of equal ones the first stays first.

    What is equal is no difference, and what is not more than LEAST is the rounding of numbers.
    """
    there = [(key, abs(value)) for key, value in differences if abs(value) > LEAST]
    return [key for key, _ in sorted(there, key=lambda each: -each[1])][:most]
