"""The measures that are computed from texts alone: a new one is a function and a line here. Plain Python.

SAS is not among them, because it needs a model: scoring.sas.
"""

from collections.abc import Callable
from dataclasses import dataclass

from scoring import overlap


@dataclass(frozen=True)
class Measure:
    """A measure of a prediction against one reference; of several references the best counts.

    `scorer` and `version` name the definition that the function follows.
    """

    function: Callable[[str, str], float]
    scorer: str
    version: str


MEASURES = {
    "em": Measure(overlap.exact_match, scorer="squad", version="1"),
    "f1": Measure(overlap.token_f1, scorer="squad", version="1"),
}
