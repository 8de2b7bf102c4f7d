"""The scores of a file, of which there may be half a million, in a few bytes each. Without Django."""

import sys
from array import array
from collections.abc import Iterable, Iterator

from corpus.records import ScoreRecord


class ScoreTable:
    """Scores in the order of the file. Each answer has one; a record is made when it is asked for."""

    def __init__(self, records: Iterable[ScoreRecord] = ()) -> None:
        self._places: dict[str, dict[str, int]] = {}  # by run and turn
        self._runs: list[str] = []
        self._turns: list[str] = []
        self._values = array("d")
        self._rows = array("Q")
        for record in records:
            self.add(record)

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[ScoreRecord]:
        return map(self._record, range(len(self)))

    def add(self, record: ScoreRecord) -> ScoreRecord:
        """Add the score unless its answer has one already; return the answer's score."""
        # The same few names and turns come again and again: each is held once.
        run, turn = sys.intern(record.run), sys.intern(record.turn_id)
        place = self._places.setdefault(run, {}).setdefault(turn, len(self))
        if place == len(self):
            self._runs.append(run)
            self._turns.append(turn)
            self._values.append(record.value)
            self._rows.append(record.index)
        return self._record(place)

    def of_runs(self) -> Iterator[tuple[str, list[ScoreRecord]]]:
        """Yield each run with its scores, one run held at a time."""
        for run, places in self._places.items():
            yield run, [self._record(place) for place in places.values()]

    def _record(self, place: int) -> ScoreRecord:
        return ScoreRecord(
            self._turns[place], self._runs[place], self._values[place], self._rows[place]
        )
