"""What automatic measures say of runs' answers in a comparison, with intervals over questions. Plain Python.

    rouge_l, recall        the mean over a run's answers to answerable questions, against the nearest reference
    rouge_lp               the same of how much of an answer stands in the shown passage that has most of it
    length                 its mean over them in characters; an answer that says nothing has the length 0
    unanswerable_accuracy  of a run's answers to unanswerable questions, those that say that there is no answer
    wrongly_unanswerable   of its answers to answerable ones, those that say so: a fault

An answer that says nothing counts: as 0 for rouge_l and recall, not at all for rouge_lp, and it says that there is
no answer. A run that has no answer to a question is not held against it here. Values are those of answers.csv; each
of a run's questions counts alike.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from exports.comparison.columns import AnswerRow
from scoring.registry import MEASURES, Inputs
from stats.clustered_means import Figure, Value, mean

# Measures of scoring.registry that are columns of answers.csv (exports.comparison.columns), in the order of the page.
MEASURED = ("rouge_l", "recall", "rouge_lp")
# What a mean of each run is taken of, beside what people say.
AUTOMATIC = (*MEASURED, "length")
LABELS = {name: MEASURES[name].label for name in AUTOMATIC}
# The figures of a run with the heads of their columns.
OF_A_RUN = LABELS | {
    "unanswerable_accuracy": "Unanswerable accuracy",
    "wrongly_unanswerable": "Wrongly unanswerable",
}

_NO_ANSWER = "it has no answer to an answerable question"
_WHY_NONE = {
    Inputs.REFERENCES: "none of its answers to answerable questions is compared with a reference",
    Inputs.PASSAGES: "no passage was shown with any of its answers to answerable questions",
    Inputs.ALONE: _NO_ANSWER,
}
WITHOUT = {name: _WHY_NONE[MEASURES[name].inputs] for name in AUTOMATIC} | {
    "unanswerable_accuracy": "it has no answer to an unanswerable question",
    "wrongly_unanswerable": _NO_ANSWER,
}


def measured(
    text: str, *, references: Sequence[str], passages: Sequence[str]
) -> dict[str, float | None]:
    """The columns of an answer in answers.csv: against references, or passages where it says something."""
    against = {
        Inputs.REFERENCES: references,
        Inputs.PASSAGES: passages if text else (),
        Inputs.ALONE: (),
    }
    return {name: MEASURES[name].value(text, against[MEASURES[name].inputs]) for name in MEASURED}


def automatic(answers: Sequence[AnswerRow], *, replicates: int, seed: int) -> dict[str, Figure]:
    """Of one run in one setup: a figure for each measure."""
    answerable = [row for row in answers if row.is_answerable]
    others = [row for row in answers if not row.is_answerable]
    told: dict[str, tuple[Sequence[AnswerRow], Callable[[AnswerRow], Value | None]]] = {
        **{name: (answerable, _of(name)) for name in AUTOMATIC},
        "unanswerable_accuracy": (others, _says_so),
        "wrongly_unanswerable": (answerable, _says_so),
    }
    return {
        name: mean(_known(rows, value), without=WITHOUT[name], replicates=replicates, seed=seed)
        for name, (rows, value) in told.items()
    }


def scored(answers: Iterable[AnswerRow], name: str) -> dict[tuple[str, str], float | None]:
    """By question and run, on answerable questions."""
    return {
        (row.turn_id, row.run): getattr(row, name)
        for row in answers
        if row.is_answerable and row.answer_id
    }


def _known(
    rows: Iterable[AnswerRow], value: Callable[[AnswerRow], Value | None]
) -> dict[str, list[Value]]:
    pairs = ((row.turn_id, value(row)) for row in rows)
    return {question: [known] for question, known in pairs if known is not None}


def _of(name: str) -> Callable[[AnswerRow], Value | None]:
    def value(row: AnswerRow) -> Value | None:
        number = getattr(row, name)
        return None if number is None else Fraction(number)

    return value


def _says_so(row: AnswerRow) -> Value:
    return int(row.says_unanswerable)
