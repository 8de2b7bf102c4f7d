"""What planned judgements will show: the half-width of a figure, and the smallest difference.

Q questions are each judged by k of A people, evenly: each person judges the share 1 / A of all
judgements, Q·k / A questions. If the values of single judgements have the variances s_q² of questions, s_a² of
people and s_e² of the rest (`stats.variance_components`), their mean has

    V = s_q² / Q + s_a² / A + s_e² / (Q·k)

for questions and people like these: more questions do not diminish what is particular to the people, and
k only the rest. (With unequal shares p of the people s_a² / A is s_a²·Σ p².) The interval of such a
mean (`stats.two_way_clustering`) has the half-width t·√V, with Satterthwaite's degrees of freedom

    V² / (V_q² / (Q - 1) + V_a² / (F·(A - 1)))   at least A - 1, at most Q + A - 2

F is 1, and K - 1 of differences of K runs, where people's variance is pooled over all pairs. The parts are
expected to be

    V_q = (s_q² + s_a²·(1/k - 1/A) + s_e² / k) / Q     for these people: also the part of the people who
                                                       happened to be asked about a question
    V_a = (s_a² + s_q²·(A / k - 1) / Q + s_e²·A / (Q·k)) / A

For these people the half-width is t·√V_q with Q - 1 degrees. The smallest difference that is found
with the probability .8 is (t(1 - a/2) + t(.8))·√V at the level a, .05, or .05 over the number of pairs
for the first of Holm's tests (`stats.power`).
"""

from dataclasses import dataclass
from math import comb, sqrt

from stats import power, student_t
from stats.variance_components import LEAST_PEOPLE, Components

FEW_PEOPLE = f"fewer than {LEAST_PEOPLE} people: nothing can be said of others"
NO_VARIANCE = "no variance is assumed"
MORE_QUESTIONS = 20


@dataclass(frozen=True, slots=True)
class Design:
    """Numbers of questions, of people, and of the people who judge each question.

    Raises ValueError for fewer than two questions, or unless 1 <= per_question <= n_people.
    """

    n_questions: int
    n_people: int
    per_question: int

    def __post_init__(self) -> None:
        if self.n_questions < 2:
            raise ValueError("a plan has at least two questions")
        if not 1 <= self.per_question <= self.n_people:
            raise ValueError("each question is judged by at least one and at most all people")


@dataclass(frozen=True, slots=True)
class Variance:
    """The expected variance of a figure and its parts; `df` is None for fewer than three people."""

    total: float
    of_questions: float
    of_people: float
    df: float | None


@dataclass(frozen=True, slots=True)
class Precision:
    """What a design will show. Half-widths are of 95 % intervals, in the unit of the values.

    half_width           for questions and people like these
    these_people         for questions like these and these people
    detectable           smallest difference shown with the probability .8, for one pair
    detectable_of_pairs  the same for the first of all pairs of runs after Holm's correction
    reason               why the others but `these_people` are None: fewer than three people

    All are None if no variance is assumed.
    """

    half_width: float | None
    these_people: float | None
    detectable: float | None
    detectable_of_pairs: float | None
    df: float | None
    share_of_people: float | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Option:
    """A design beside the planned one; `name` says what it has more."""

    name: str
    design: Design


def variance(of: Components, design: Design, *, n_free: int = 1) -> Variance:
    """Return the variance of the mean of the values of a design.

    `n_free` is the number of differences among which the variance of people is pooled, of those that
    do not follow from others.

    >>> round(variance(Components(1, 0.3, 2), Design(100, 3, 2)).total, 9)  # .01 + .1 + .01
    0.12
    """
    n, a, k = design.n_questions, design.n_people, design.per_question
    total = of.questions / n + of.people / a + of.rest / (n * k)
    of_questions = (of.questions + of.people * (1 / k - 1 / a) + of.rest / k) / n
    of_people = (of.people + of.questions * (a / k - 1) / n + of.rest * a / (n * k)) / a
    parts = of_questions**2 / (n - 1) + (of_people**2 / (n_free * (a - 1)) if a > 1 else 0)
    df = None
    if a >= LEAST_PEOPLE and parts:
        df = min(max(total**2 / parts, a - 1), n + a - 2)
    return Variance(total, of_questions, of_people, df)


def precision(of: Components, design: Design, *, n_runs: int = 2) -> Precision:
    """Return what a design will show of a figure, or of a difference, with these components.

    `n_runs` is the number of runs whose pairs are all tested; of the figure of one run it stays 2.
    """
    found = variance(of, design, n_free=max(1, n_runs - 1))
    if not found.total:
        return Precision(None, None, None, None, None, None, NO_VARIANCE)
    these = student_t.quantile(0.975, design.n_questions - 1) * sqrt(found.of_questions)
    if found.df is None:
        return Precision(None, these, None, None, None, None, FEW_PEOPLE)
    level = power.LEVEL / max(1, comb(n_runs, 2))
    return Precision(
        half_width=student_t.quantile(0.975, found.df) * sqrt(found.total),
        these_people=these,
        detectable=power.detectable_t_difference(found.total, found.df),
        detectable_of_pairs=power.detectable_t_difference(found.total, found.df, level=level),
        df=found.df,
        share_of_people=of.people / design.n_people / found.total,
        reason=None,
    )


def options(design: Design) -> list[Option]:
    """Return the design, and what may be added to it: an annotator, a judgement, questions."""
    n, a, k = design.n_questions, design.n_people, design.per_question
    return [
        Option("as planned", design),
        Option("one more annotator", Design(n, a + 1, k)),
        Option("one more annotator and judgement per question", Design(n, a + 1, k + 1)),
        Option(f"{MORE_QUESTIONS} more questions", Design(n + MORE_QUESTIONS, a, k)),
    ]
