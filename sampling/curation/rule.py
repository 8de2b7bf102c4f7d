"""The rule of a pool of curation: a random draw of questions with their passages. Imports no Django."""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any

from sampling.pools.rule import is_count, is_whole, require
from stats.lots import first_by_lot


@dataclass(frozen=True, slots=True)
class CurationRule:
    """The parameters. Equal rules on equal questions draw equal pools. Raises RuleError if one is invalid.

    parts          the files of the split that questions are drawn from; () for all
    n_questions    how many are drawn; None for all
    """

    parts: tuple[str, ...] = ()
    n_questions: int | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        parts, n = self.parts, self.n_questions
        require("parts", parts, len(set(parts)) == len(parts), "names of parts, each once")
        require("n_questions", n, n is None or is_count(n), "1 or more, or left out for all")
        require("seed", self.seed, is_whole(self.seed), "a whole number")

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self) | {"parts": list(self.parts)}


def draw(keys: Collection[str], rule: CurationRule) -> tuple[str, ...]:
    """Draw questions by their ids in files, a simple random sample, sorted; of the same seed a larger one has the smaller."""
    return tuple(sorted(first_by_lot(keys, rule.n_questions, rule.seed)))
