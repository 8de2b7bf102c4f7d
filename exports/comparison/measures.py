"""The automatic measures of a comparison and their labels. Imports neither Django nor numpy, as pages
load it.
"""

from collections.abc import Sequence

from scoring.registry import MEASURES, Inputs

# Measures of scoring.registry that are columns of answers.csv (exports.comparison.columns), in the order of the page.
ANSWER_MEASURES = ("rouge_l", "recall", "rouge_lp")
# Measures with a mean for each run, and with correlations with people's ratings.
AUTOMATIC = (*ANSWER_MEASURES, "length")
LABELS = {name: MEASURES[name].label for name in AUTOMATIC}
# Figures of a run -> the headings of their columns.
RUN_MEASURES = LABELS | {
    "unanswerable_accuracy": "Unanswerable accuracy",
    "wrongly_unanswerable": "Wrongly unanswerable",
}

_NO_ANSWER = "it has no answer to an answerable question"
_REASONS_BY_INPUT = {
    Inputs.REFERENCES: "none of its answers to answerable questions is compared with a reference",
    Inputs.PASSAGES: "no passage was shown with any of its answers to answerable questions",
    Inputs.ALONE: _NO_ANSWER,
}
UNDEFINED_REASONS = {name: _REASONS_BY_INPUT[MEASURES[name].inputs] for name in AUTOMATIC} | {
    "unanswerable_accuracy": "it has no answer to an unanswerable question",
    "wrongly_unanswerable": _NO_ANSWER,
}


def measure_values(
    text: str, *, references: Sequence[str], passages: Sequence[str]
) -> dict[str, float | None]:
    """The measures of an answer, as in answers.csv. An empty text is not compared with passages."""
    against = {
        Inputs.REFERENCES: references,
        Inputs.PASSAGES: passages if text else (),
        Inputs.ALONE: (),
    }
    return {
        name: MEASURES[name].value(text, against[MEASURES[name].inputs]) for name in ANSWER_MEASURES
    }
