"""Pools and their rules as people read them."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import template

from sampling.reading import minutes
from sampling.selection import State
from sampling.words import WORDS_PER_MINUTE

register = template.Library()

# A word or two for each fate, and a sentence that says when it is had.
FATES = {
    State.DRAWN: ("Candidate", "The text of a candidate: its run is credited."),
    State.REPRESENTED: (
        "Represented",
        "The same words as a candidate, in another order or form, or nearly the same letters where"
        " the rule asks for it. It inherits no verdict.",
    ),
    State.SAME_AS_REFERENCE: ("Same as the reference", "The reference in other words' order."),
    State.SAME_AS_QUESTION: ("Same as the question", "It only says the question again."),
    State.BELOW_THRESHOLD: ("Below the threshold", "Its score is at the threshold or below it."),
    State.TOO_FEW_IN_TURN: (
        "Too few in its turn",
        "Above the threshold, but its question has fewer candidates than the rule wants.",
    ),
    State.CAPPED: (
        "Capped",
        "Its question has more candidates than the rule wants; the lot fell on others.",
    ),
    State.EMPTY: ("Empty", "The answer has no text."),
    State.NO_REFERENCE: ("No reference", "Nothing is there that it could be compared with."),
    State.NO_SCORE: ("No score", "The scorer has not scored it."),
}


register.filter("minutes", minutes)


@register.simple_tag
def words_per_minute() -> int:
    """How fast evidence is taken to be read."""
    return WORDS_PER_MINUTE


@register.filter
def fate(state: str) -> str:
    return FATES[State(state)][0]


@register.filter
def fate_means(state: str) -> str:
    return FATES[State(state)][1]


@register.filter
def tone(state: str) -> str:
    """The class of the tag that names a fate."""
    return "good" if state == State.DRAWN else ""


@register.filter
def plain(number: float) -> str:
    """A threshold or score as it was given: 0.74, not 0.740000."""
    return f"{number:.9g}"


@register.filter
def score(number: float | None) -> str:
    return "no score" if number is None else f"{number:.3f}"


@register.filter
def per_cent(part: float, whole: float) -> float:
    """A part as a width of 0 to 100; of nothing, nothing."""
    return round(100 * part / whole, 2) if whole else 0.0


@register.filter
def credited_to_several(by_run: Iterable[Sequence[Any]], n_candidates: int) -> bool:
    """Whether some candidate is credited to several runs, each with its number of candidates."""
    n_credits: int = sum(each[1] for each in by_run)
    return n_credits > n_candidates
