"""Sentences about agreement as pages write them. Imports no Django.

The sentences of `stats.agreement` are in released files, which stay as they are.
"""

import re

from stats.agreement.few_people import TOO_FEW

_REPLACEMENTS = (
    (r"^Quote ", "Report "),
    (r"^There is nothing to quote: ", "No figure can be reported: "),
    (r": it was always the same two people\.", " (the same two annotators judged all items)."),
    (
        r": (\d+) people judged every item, and Cohen's κ compares two\.",
        r" (\1 annotators judged every item; Cohen's κ is for two).",
    ),
    (
        r": not everybody judged every item, which it allows for\.",
        " (it allows for items that not every annotator judged).",
    ),
    (
        r": the answers are on a scale, and a near miss counts less than a wide one\.",
        " (ordinal, because the answers are on a scale).",
    ),
    (
        r" Show (raw agreement .*) beside it: (\d+ %) of what was said is (.*), and then a coefficient"
        r" corrected for chance is low even where people nearly always agree\.",
        r" Report \1 too: \2 of the labels are \3, so a chance-corrected coefficient is low even if"
        r" annotators nearly always agree.",
    ),
)
_REASONS = {TOO_FEW: "too few annotators (< 5) to generalise"}


def report_sentence(sentence: str) -> str:
    """Return which figure to report and why, from the sentence of a recommendation."""
    for pattern, replacement in _REPLACEMENTS:
        sentence = re.sub(pattern, replacement, sentence)
    return sentence


def reason(text: str) -> str:
    """Return why there is no interval."""
    return _REASONS.get(text, text)
