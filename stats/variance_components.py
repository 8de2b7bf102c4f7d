"""How much values vary by question, by person and besides, from an incomplete crossed table.

The value of question i by person j is m + q_i + a_j + e_ij: the mean, what is particular to the
question and to the person, and the rest, with what is particular to this person on this question. Of
differences of two runs these are run x question, run x person and run x question x person: what makes
a question hard or a person lenient for both runs alike has dropped out.

The three variances are estimated by moments (Henderson 1953, Biometrics 9:226-252, method 1), which
needs no complete table. With N values, n_i of question i and n_j of person j, Q questions, A people,

    T = Σ y²,  T_q = Σ (sum of a question)² / n_i,  T_a = Σ (sum of a person)² / n_j,  T_m = (Σ y)² / N

without N·m² have the expectations

    T      N·s_q²             + N·s_a²             + N·s_e²
    T_q    N·s_q²             + Q·s_a²             + Q·s_e²
    T_a    A·s_q²             + N·s_a²             + A·s_e²
    T_m    Σ n_i² / N·s_q²    + Σ n_j² / N·s_a²    + s_e²

so that T - T_m, T_q - T_m and T_a - T_m are three equations for three unknowns. Estimates below 0 are 0.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple

LEAST_PEOPLE = 3
FEW_PEOPLE = f"fewer than {LEAST_PEOPLE} people judged"
FEW_QUESTIONS = "fewer than two questions"
NO_REPEATS = "too few questions were judged by two people"
NOT_SEPARABLE = (
    "too few people judged the same questions to tell questions, people and the rest apart"
)
NO_TABLE = "nothing is judged"


class Value(NamedTuple):
    """The value that a person gave, or the difference that a person made, on a question."""

    question: str
    person: str
    value: float


@dataclass(frozen=True, slots=True)
class Components:
    """Variances, in the squared unit of the values. Raises ValueError for one below 0."""

    questions: float
    people: float
    rest: float

    def __post_init__(self) -> None:
        if not min(self.questions, self.people, self.rest) >= 0:
            raise ValueError(f"a variance is not below 0: {self}")


@dataclass(frozen=True, slots=True)
class Estimate:
    """Estimated variances, or None with the reason.

    `n_tables` is the number of tables that they are means of; the other numbers are of the largest.
    """

    components: Components | None
    reason: str | None
    n_questions: int = 0
    n_people: int = 0
    n_values: int = 0
    n_tables: int = 0


def estimate(tables: Iterable[Sequence[Value]]) -> Estimate:
    """Return the mean of the variances of several tables, such as of each two runs.

    The estimates of the tables are averaged before one below 0 becomes 0, so that the mean has no
    bias. Tables of which they are undefined are left out; if they are of all, the reason is that of
    the largest. Several values of one person on one question count as their mean.

    >>> table = [Value(q, a, x) for q, xs in {"1": (5, 4, 6), "2": (1, 0, 2)}.items() for a, x in zip("abc", xs)]
    >>> estimate([table]).components
    Components(questions=8.0, people=1.0, rest=0.0)
    """
    found = sorted((_moments(table) for table in tables), key=lambda each: -each.n_values)
    if not found:
        return Estimate(None, NO_TABLE)
    defined = [each.variances for each in found if each.variances is not None]
    most = found[0]
    components, reason = None, most.reason
    if defined:
        means = (fsum(column) / len(defined) for column in zip(*defined, strict=True))
        # What is 0 but for rounding is 0, and none is -0.
        components, reason = Components(*(max(0.0, round(each, 12)) + 0.0 for each in means)), None
    return Estimate(
        components, reason, most.n_questions, most.n_people, most.n_values, len(defined)
    )


class _Moments(NamedTuple):
    variances: Sequence[float] | None
    reason: str | None
    n_questions: int
    n_people: int
    n_values: int


def _moments(table: Sequence[Value]) -> _Moments:
    import numpy as np  # noqa: PLC0415  a plan without a pilot has no need of it

    cells: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for question, person, value in table:
        cells[question, person].append(value)
    questions, n_q = _numbered([question for question, _ in cells])
    people, n_a = _numbered([person for _, person in cells])
    n = len(cells)
    sizes = (n_q, n_a, n)
    reason = _why_undefined(*sizes)
    if reason:
        return _Moments(None, reason, *sizes)
    y = np.array([sum(values) / len(values) for values in cells.values()])
    # With values around 0 little is lost in the differences of squares.
    y = y - y.mean()
    of_questions, of_people = np.bincount(questions), np.bincount(people)
    left = np.array(
        [
            [n, n, n],
            [n, n_q, n_q],
            [n_a, n, n_a],
        ],
        float,
    ) - np.array([(of_questions**2).sum() / n, (of_people**2).sum() / n, 1.0])
    right = np.array(
        [
            (y**2).sum(),
            (np.bincount(questions, y) ** 2 / of_questions).sum(),
            (np.bincount(people, y) ** 2 / of_people).sum(),
        ]
    )
    if np.linalg.matrix_rank(left) < 3:
        return _Moments(None, NOT_SEPARABLE, *sizes)
    return _Moments(np.linalg.solve(left, right).tolist(), None, *sizes)


def _numbered(names: Sequence[str]) -> tuple[list[int], int]:
    places: dict[str, int] = {}
    return [places.setdefault(name, len(places)) for name in names], len(places)


def _why_undefined(n_questions: int, n_people: int, n_values: int) -> str | None:
    if not n_values:
        return NO_TABLE
    if n_people < LEAST_PEOPLE:
        return FEW_PEOPLE
    if n_questions < 2:
        return FEW_QUESTIONS
    # With a single value more than questions or people the rest would rest on one number.
    if n_values < n_questions + 2:
        return NO_REPEATS
    return NOT_SEPARABLE if n_values < n_people + 2 else None
