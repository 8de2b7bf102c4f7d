"""Why work is paid or not, counted or not: closed lists of codes, and words beside them.

A code says it shortly and alike for everybody, so that it can be counted; words say what the code does not.
Each code fits one outcome or both: right, not counted for `random answer`; wrong, counted for it. What no
code says is `other`, and then words say it. `undone` is written by taking a decision back, never chosen.

    parse_reason("random answer: one key throughout", COUNTED, False)   # ("random answer", "one key throughout")
    parse_reason("she was asleep", COUNTED, False)                      # ("other", "she was asleep")
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

OTHER = "other"
UNDONE = "undone"


class ReasonError(ValueError):
    """The reason does not fit the decision, or says nothing; the message says which one would."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A code, what it means, and the outcomes that it can be the reason of (paid or counted: yes, no)."""

    code: str
    means: str
    outcomes: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class ReasonList:
    """A closed list: what is decided, and its reasons in the order in which they are offered."""

    what: str
    reasons: tuple[Reason, ...]

    @property
    def codes(self) -> tuple[str, ...]:
        return tuple(each.code for each in self.reasons)

    def fitting(self, outcome: bool) -> tuple[Reason, ...]:
        """Return the reasons that can be chosen for the outcome."""
        return tuple(
            each for each in self.reasons if outcome in each.outcomes and each.code != UNDONE
        )


_YES, _NO, _BOTH = (True,), (False,), (True, False)
_LAST = (
    Reason(OTHER, "what the words say", _BOTH),
    Reason(UNDONE, "an earlier decision was taken back", _BOTH),
)

PAID = ReasonList(
    "paid",
    (
        Reason("in good faith", "the work was done, whatever came of it", _YES),
        Reason("random answers", "answers were given without reading", _NO),
        Reason("not own work", "somebody or something else did the work", _NO),
        Reason("test or mistake", "a trial of an organiser's, or assigned by mistake", _NO),
        *_LAST,
    ),
)
COUNTED = ReasonList(
    "counted",
    (
        Reason("good", "the work was read and holds", _YES),
        Reason("random answer", "the answer was given without reading", _NO),
        Reason("misread the task", "another question was answered than was asked", _NO),
        Reason("technical fault", "the screen did not show what was to be judged", _NO),
        Reason("not own work", "somebody or something else did the work", _NO),
        Reason("test or mistake", "a trial of an organiser's, or assigned by mistake", _NO),
        *_LAST,
    ),
)

LISTS: Mapping[str, ReasonList] = {reasons.what: reasons for reasons in (PAID, COUNTED)}


def require_fits(
    code: str, words: str, reasons: ReasonList, outcome: bool, *, is_undoing: bool = False
) -> None:
    """Raise ReasonError unless the code is of the list and fits the outcome, and `other` has its words.

    `undone` fits only where an act is taken back (`is_undoing`).
    """
    known = {each.code: each for each in reasons.reasons if is_undoing or each.code != UNDONE}
    if code == UNDONE and code not in known:
        raise ReasonError(f"{code} cannot be chosen: take the earlier decision back instead")
    if code not in known:
        raise ReasonError(f"{code} is no reason of the list for {reasons.what}: {', '.join(known)}")
    if outcome not in known[code].outcomes:
        fitting = ", ".join(each.code for each in reasons.fitting(outcome))
        raise ReasonError(
            f"{code} is no reason for {outcome_in_words(reasons, outcome)}: {fitting}"
        )
    if code == OTHER and not words.strip():
        raise ReasonError(
            f"the reason for the {NOUNS[reasons.what]} is empty: it must say something"
        )


NOUNS = {"paid": "pay", "counted": "count"}


def outcome_in_words(reasons: ReasonList, outcome: bool) -> str:
    """Return the decision in words: "not counted"."""
    return reasons.what if outcome else f"not {reasons.what}"


def parse_reason(text: str, reasons: ReasonList, outcome: bool) -> tuple[str, str]:
    """Return the code and the words of a written reason: `CODE`, `CODE: words`, or words alone, which are `other`."""
    code, _, words = text.partition(":")
    fitting: Sequence[str] = [each.code for each in reasons.fitting(outcome)]
    if code.strip() in fitting:
        return code.strip(), words.strip()
    return OTHER, text


def in_words(code: str, words: str) -> str:
    """Return the reason as people read it: "random answer: one key throughout"; of `other` the words alone."""
    if code == OTHER:
        return words
    return f"{code}: {words}" if words else code
