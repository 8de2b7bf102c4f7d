"""The rule of a pool of writing: a random draw of questions with one passage each. Imports no Django.

Of the questions whose passage has enough sentences, the n with the smallest lots are drawn, or all if there are at
most n: a simple random sample. A lot depends on seed and question alone, so the draw does not depend on the order of
rows, and a larger one with the same seed contains the smaller one.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sampling.pools.rule import is_count, is_whole, require
from stats.lots import first_by_lot

# The questions of CLAP-NQ have passages of more than five sentences.
LEAST_SENTENCES = 6


@dataclass(frozen=True, slots=True)
class WritingRule:
    """The parameters. Equal rules on equal questions draw equal pools. Raises RuleError if one is invalid.

    parts          the files of the split that questions are drawn from; () for all
    n_questions    how many are drawn; None for all
    min_sentences  questions whose passage has fewer are left out
    """

    parts: tuple[str, ...] = ()
    n_questions: int | None = None
    min_sentences: int = LEAST_SENTENCES
    seed: int = 1

    def __post_init__(self) -> None:
        parts, n = self.parts, self.n_questions
        require("parts", parts, len(set(parts)) == len(parts), "names of parts, each once")
        require("n_questions", n, n is None or is_count(n), "1 or more, or left out for all")
        least = self.min_sentences
        require("min_sentences", least, is_count(least), "1 or more")
        require("seed", self.seed, is_whole(self.seed), "a whole number")

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self) | {"parts": list(self.parts)}


@dataclass(frozen=True)
class WritingDraw:
    """The drawn questions, sorted, of `n_eligible`; `n_too_short` more have too short a passage."""

    questions: tuple[str, ...]
    n_eligible: int
    n_too_short: int


def draw(n_sentences: Mapping[str, int], rule: WritingRule) -> WritingDraw:
    """Draw questions, given the number of sentences of the passage of each, by its id in files."""
    eligible = [key for key, n in n_sentences.items() if n >= rule.min_sentences]
    return WritingDraw(
        questions=tuple(sorted(first_by_lot(eligible, rule.n_questions, rule.seed))),
        n_eligible=len(eligible),
        n_too_short=len(n_sentences) - len(eligible),
    )
