"""Sentences about agreement as pages write them. Imports no Django.

The sentences of `stats.agreement` are in released files, which stay as they are.
"""

import re

from stats.agreement.few_people import TOO_FEW

_REPLACEMENTS = (
    (r"^Quote ", "Report "),
    (r"^There is nothing to quote: ", "No figure can be reported: "),
    (r": it was always the same two people\.", " (the same two annotators judged all items)."),
    (r" for these (\d+) people\b", r" for these \1 annotators"),
    (r" for other people like them\b", " for other annotators like them"),
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
_CHANCE_UNDEFINED = re.compile(
    r": (a coefficient corrected for chance is undefined) \((.*)\)\.$"  # nothing follows in the sentence
)
# A second bracket would follow the one with the reason.
_NO_INTERVAL = re.compile(r", without an interval \((.*?)\) \((.*?)\)\.(?= |$)")
_MINUS = re.compile(r"(?<![\w.-])-(?=\d)")
_REASONS = {TOO_FEW: "too few annotators (< 5) to generalise"}


def report_sentence(sentence: str) -> str:
    """Return which figure to report and why, from the sentence of a recommendation."""
    for pattern, replacement in _REPLACEMENTS:
        sentence = re.sub(pattern, replacement, sentence)
    sentence = _CHANCE_UNDEFINED.sub(r" (\1: \2).", sentence)
    sentence = _NO_INTERVAL.sub(_with_one_bracket, sentence)
    return _MINUS.sub("\N{MINUS SIGN}", sentence)


def _with_one_bracket(found: re.Match[str]) -> str:
    why, basis = found.groups()
    return f" (no interval: {why}). {basis[0].upper()}{basis[1:]}."


def reason(text: str) -> str:
    """Return why there is no interval."""
    return _REASONS.get(text, text)
