"""Scores of many answers in little memory."""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from itertools import islice

from corpus.models import Dataset
from scoring import score_queries
from scoring.models import Scorer

TURNS_AT_ONCE = 500


class Scores:
    """Scores by primary key, in 16 bytes each: a dictionary of half a million takes seven times as much."""

    def __init__(self, parts: Iterable[Mapping[int, float]] = ()) -> None:
        import numpy as np  # noqa: PLC0415  only making a release needs it here, and no page

        keys, values = array("q"), array("d")
        for part in parts:
            keys.extend(part.keys())
            values.extend(part.values())
        order = np.argsort(np.frombuffer(keys, dtype=np.int64), kind="stable")
        self._keys = array("q", np.frombuffer(keys, dtype=np.int64)[order].tobytes())
        self._values = array("d", np.frombuffer(values, dtype=np.float64)[order].tobytes())

    def __len__(self) -> int:
        return len(self._keys)

    def get(self, key: int) -> float | None:
        """Return the score of the answer with this primary key; None if it has none."""
        place = bisect_left(self._keys, key)
        is_there = place < len(self._keys) and self._keys[place] == key
        return self._values[place] if is_there else None


def by_scorer(dataset: Dataset, scorer: Scorer, turns: Iterable[int]) -> Scores:
    """Return the scores of the data set's answers to these turns, given by primary key.

    Some turns are read at a time, as the hashes of the texts take more memory than the scores.
    """
    keys = iter(turns)
    parts = iter(lambda: list(islice(keys, TURNS_AT_ONCE)), [])
    return Scores(score_queries.values(dataset, scorer, part) for part in parts)
