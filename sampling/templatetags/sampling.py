"""Pools and their rules in words."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import template

from sampling.comparisons.rule import ComparisonRule
from sampling.evidence.reading_time import minutes
from sampling.pay import work_time
from sampling.pools.rule import Rule
from sampling.pools.selection import State
from text.segmentation import WORDS_PER_MINUTE

register = template.Library()

# A word or two for each fate, and a sentence that says when it is had.
FATES = {
    State.DRAWN: (
        "Drawn",
        "Its text is a candidate, which several answers may share: its run is credited.",
    ),
    State.STANDS: (
        "Stands in another pool",
        "People are or were asked about its very text elsewhere: in an earlier version of the data set, where its"
        " question is the same, or, of a late run, in another pool. What they say counts here, too.",
    ),
    State.REPRESENTED: (
        "Represented",
        "The same words as a candidate, in another order or form, or nearly the same letters where"
        " the rule asks for it. It inherits no verdict.",
    ),
    State.SAME_AS_REFERENCE: (
        "Same as the reference",
        "The same words as a reference, in another order or form: nobody needs to judge it.",
    ),
    State.SAME_AS_QUESTION: ("Same as the question", "It only says the question again."),
    State.BELOW_THRESHOLD: ("Below the threshold", "Its score is at the threshold or below it."),
    State.TOO_FEW_IN_TURN: (
        "Too few in its turn",
        "Above the threshold, but its question has fewer candidates than the rule wants.",
    ),
    State.TURN_NOT_DRAWN: (
        "Turn not drawn",
        "Above the threshold, but of the questions that would give candidates others were drawn.",
    ),
    State.CAPPED: (
        "Capped",
        "Its question has more candidates than the rule allows; it was not sampled.",
    ),
    State.EMPTY: ("Empty", "The answer has no text."),
    State.NO_REFERENCE: ("No reference", "Nothing is there that it could be compared with."),
    State.NO_SCORE: ("No score", "The scorer has not scored it."),
}

STRATA = {
    "depth": "first and later questions of a conversation",
    "question_word": "the first word of the question",
    "n_candidates": "how many candidates they would give",
    # of a comparison
    "answerable": "whether a reference answers them",
    "part": "the file of their split",
    "first_word": "their first word",
    "length": "their length",
}


register.filter("minutes", minutes)
register.filter("work_time", work_time)


@register.simple_tag
def words_per_minute() -> int:
    """Return the assumed reading speed of evidence."""
    return WORDS_PER_MINUTE


@register.filter
def fate(state: str) -> str:
    return FATES[State(state)][0]


@register.filter
def division(rule: Rule | ComparisonRule) -> str:
    """Return how a rule divides its questions among strata, as the end of a sentence.

    "" without strata.
    """
    if not rule.strata:
        return ""
    kinds = [rule.strata] if isinstance(rule.strata, str) else rule.strata
    allocation = "equally" if rule.allocation == "equal" else "by size"
    return (
        f", stratified by {_enumeration([STRATA[kind] for kind in kinds])}, allocated {allocation}"
    )


def _enumeration(words: Sequence[str]) -> str:
    """Return the words as a list in a sentence: a, b and c."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


@register.filter
def fate_means(state: str) -> str:
    return FATES[State(state)][1]


@register.filter
def tone(state: str) -> str:
    """Return the CSS class of the tag with a fate's name."""
    return "good" if state == State.DRAWN else ""


@register.filter
def plain(number: float) -> str:
    """Return a threshold or score without trailing zeros: 0.74, not 0.740000."""
    return f"{number:.9g}"


@register.filter
def score(number: float | None) -> str:
    return "no score" if number is None else f"{number:.3f}"


@register.inclusion_tag("_components/bar.html")
def bar(part: float, whole: float, css: str = "bar-1") -> dict[str, Any]:
    """Return a bar of the part of the whole; of length 0 if the whole is 0."""
    return {"width": round(100 * part / whole, 2) if whole else 0.0, "css": css}


@register.filter
def credited_to_several(by_run: Iterable[Sequence[Any]], n_candidates: int) -> bool:
    """Return whether some candidate is credited to several runs.

    `by_run` has each run with its number of candidates.
    """
    n_credits: int = sum(each[1] for each in by_run)
    return n_credits > n_candidates
