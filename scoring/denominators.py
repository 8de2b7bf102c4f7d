"""The turns that a measure is averaged over, and the value of a turn for which a run gave nothing.

A turn is measured if the data set has its truth; a turn without truth is never scored. For turns
that a run left out there are two conventions; the second favours a run that answers little:

    all turns      a missing answer counts as empty; missing passages count as 0
    as evaluator   as in the shared task's evaluator: answers as above; retrieval only on turns for
                   which the run ranks passages; rewrites of first turns are left out

A run that gave nothing of a kind (no rewrite at all, say) did not take part: it has no value, not
0. Measures of an answer alone or against its own passages are over the given answers, in both.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from scoring.registry import Inputs


class Denominator(StrEnum):
    ALL_TURNS = "all turns"
    AS_EVALUATOR = "as evaluator"


@dataclass(frozen=True, slots=True)
class MeasuredTurn:
    """A turn, its place in the conversation, and what its truth holds."""

    key: str
    number: int
    has_reference: bool = False
    has_rewrite: bool = False
    has_relevant: bool = False


@dataclass(frozen=True, slots=True)
class AveragedValues:
    """A run's values by turn, in the order of the turns. `n_filled` of them were not given."""

    denominator: Denominator
    values: Mapping[str, float]
    n_filled: int

    def __str__(self) -> str:
        return f"{self.denominator}: {len(self.values)}, {self.n_filled} of them not given"


def averaged_values(
    given: Mapping[str, float],
    turns: Iterable[MeasuredTurn],
    *,
    inputs: Inputs,
    denominator: Denominator = Denominator.ALL_TURNS,
    when_empty: Callable[[str], float] = lambda turn: 0.0,
) -> AveragedValues:
    """Return the values that the mean is over.

    `given` maps turns to the run's values. `when_empty` returns the value of an empty text on a
    turn, which is not 0 if the reference has no token either.
    """
    measured = [turn for turn in turns if is_measured(turn, inputs, denominator)]
    fills = inputs not in _OVER_WHAT_THE_RUN_GAVE and not (
        inputs is Inputs.RETRIEVAL and denominator is Denominator.AS_EVALUATOR
    )
    # A run that gave something only on turns without truth took part, too.
    took_part = bool(given)
    values = {
        turn.key: given[turn.key] if turn.key in given else when_empty(turn.key)
        for turn in measured
        if turn.key in given or (fills and took_part)
    }
    return AveragedValues(denominator, values, sum(key not in given for key in values))


_OVER_WHAT_THE_RUN_GAVE = (Inputs.PASSAGES, Inputs.ALONE)


def is_measured(turn: MeasuredTurn, inputs: Inputs, denominator: Denominator) -> bool:
    """Return whether a value on this turn counts in the mean."""
    match inputs:
        case Inputs.REFERENCES:
            return turn.has_reference
        case Inputs.REWRITE:
            is_asked = turn.number > 1 or denominator is Denominator.ALL_TURNS
            return turn.has_rewrite and is_asked
        case Inputs.RETRIEVAL:
            return turn.has_relevant
        case Inputs.PASSAGES | Inputs.ALONE:
            return True
