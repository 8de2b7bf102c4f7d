"""A crowd of simulated people, from one batch of a rehearsal to the next. Imports no Django.

    crowd = Crowd(people, seed=1)
    works = crowd.works(items=ids, claims=ClaimsInOrder([3] * len(ids)))
    labels = [crowd.label(work, ids[work.index], truths[work.index]) for work in works]
    crowd = crowd.after(works)   # who gets worse or leaves has made so many judgements by then

The database's rehearsal (annotation.actions.rehearsals) and `bench/coverage/crowds.py` use the same functions.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from annotation.rehearsal import annotators
from annotation.rehearsal.annotators import Work
from annotation.rehearsal.claims import Claims
from annotation.rehearsal.people import Habits


@dataclass(frozen=True)
class Crowd:
    """People by their number from 1, and how many judgements each has made before."""

    people: Sequence[Habits]
    seed: int
    n_done: Mapping[int, int] = field(default_factory=dict)

    @property
    def numbers(self) -> range:
        return range(1, len(self.people) + 1)

    def habits(self, annotator: int) -> Habits:
        return self.people[annotator - 1]

    def works(
        self,
        *,
        items: Sequence[object],
        claims: Claims,
        most_each: int | None = None,
        who: Collection[int] | None = None,
    ) -> list[Work]:
        """Return their judgements of a batch in the order in which they begin (annotators.schedule).

        `who` may work on it; None: everybody. `most_each` is the most items of one person; None: all.
        """
        most_each = len(items) if most_each is None else most_each
        left = {number: self._most(number, most_each) for number in self.numbers}
        if who is not None:
            left |= {number: 0 for number in self.numbers if number not in who}
        return annotators.schedule(
            items=items,
            claims=claims,
            n_annotators=len(self.people),
            most_each=most_each,
            seed=self.seed,
            takes=self._seconds,
            most_of=left,
        )

    def label(self, work: Work, item: object, truth: str) -> str:
        """Return the label of this judgement, of an item of this true label."""
        return self.habits(work.annotator).label(
            seed=self.seed,
            annotator=work.annotator,
            item=item,
            n_before=self._n_before(work.annotator, work.n_before),
            truth=truth,
        )

    def after(self, works: Sequence[Work]) -> "Crowd":
        """Return the crowd once it has made these judgements."""
        n_done = Counter(self.n_done) + Counter(work.annotator for work in works)
        return replace(self, n_done=dict(n_done))

    def _most(self, annotator: int, most_each: int) -> int:
        n_left = self.habits(annotator).n_left(self.n_done.get(annotator, 0))
        return most_each if n_left is None else min(n_left, most_each)

    def _seconds(self, annotator: int, item: object, n_before: int) -> float:
        return self.habits(annotator).seconds(
            seed=self.seed,
            annotator=annotator,
            item=item,
            n_before=self._n_before(annotator, n_before),
        )

    def _n_before(self, annotator: int, n_in_batch: int) -> int:
        return self.n_done.get(annotator, 0) + n_in_batch


def expected_labels(labels: Sequence[str], n: int) -> list[str]:
    """Return the known labels of n keyed items: each label as often as the others, in turn.

    >>> expected_labels(("a", "b"), 5)
    ['a', 'b', 'a', 'b', 'a']
    """
    return [labels[number % len(labels)] for number in range(n)]
