"""How an answer of a run that a pool was not drawn from stands to the pool.

The first that holds:

| standing       | condition                                                                            |
| -------------- | ------------------------------------------------------------------------------------ |
| empty          | the text is empty                                                                    |
| reference      | its tokens are those of a reference, in their order (text.tokens)                    |
| exact          | the text of a candidate of the turn, whose verdict it inherits, or of an answer that |
|                | an earlier release accepted                                                          |
| same_bag       | the bag of a candidate, in other words or order: it inherits nothing                 |
| near           | nearly a candidate, where the pool's rule merges near-duplicates: it inherits nothing |
| new            | none of these, in a turn with candidates                                             |
| turn_not_asked | the turn has no candidate                                                            |

A top-up (sampling.actions.top_ups) asks about answers that are new or have the same bag.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from sampling.pools.rule import Rule
from text import near_duplicates
from text.bags import bag
from text.tokens import words


class Standing(StrEnum):
    EMPTY = "empty"
    REFERENCE = "reference"
    EXACT = "exact"
    SAME_BAG = "same_bag"
    NEAR = "near"
    NEW = "new"
    TURN_NOT_ASKED = "turn_not_asked"


TOPPED_UP = (Standing.NEW, Standing.SAME_BAG)


@dataclass(frozen=True, slots=True)
class AskedTurn:
    """A turn's references, and the texts of the pool's candidates of it and of those accepted earlier."""

    references: Collection[str] = ()
    candidates: Collection[str] = ()
    accepted: Collection[str] = ()


def standing(text: str, turn: AskedTurn, rule: Rule) -> Standing:
    """Return how a text without outer white space stands to the candidates that the rule drew."""
    if not text:
        return Standing.EMPTY
    own_words = words(text)
    if any(own_words == words(reference) for reference in turn.references):
        return Standing.REFERENCE
    if text in turn.candidates or text in turn.accepted:
        return Standing.EXACT
    if any(bag(text, rule.bag) == bag(each, rule.bag) for each in turn.candidates):
        return Standing.SAME_BAG
    if _is_near(text, turn, rule):
        return Standing.NEAR
    return Standing.NEW if turn.candidates else Standing.TURN_NOT_ASKED


def _is_near(text: str, turn: AskedTurn, rule: Rule) -> bool:
    least = rule.near
    return least is not None and any(
        near_duplicates.nearness(text, each) >= least for each in turn.candidates
    )
