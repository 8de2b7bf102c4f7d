"""Which automatic measures a comparison has, by what and how they are called. Plain Python, without numpy: pages load it."""

from collections.abc import Sequence

from scoring.registry import MEASURES, Inputs

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
