"""Precision and recall of the reasons for a look, for simulated people who do not look.

    python -m bench.spammers            # crowds of 20, 4 of each cell: in `make bench`
    python -m bench.spammers --full     # crowds of 20 and of 40, 25 of each cell

Crowds of known kinds (`bench/at_work.py`), 100 items a person, two and three judgements an item,
with no, 10 and 20 % of spammers; kinds take turns, so that over the crowds each occurs about as
often. Somebody is found who has a reason for a look (`stats.annotators`). Beside it, for as many
people from the top of the order as there are spammers, how many of them are spammers: the result
for a reader who looks at so many.
"""

import argparse
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from bench.at_work import HONEST, SPAMMERS, at_work
from stats.annotators.report import Report, examine
from stats.proportion_intervals import wilson

EACH, SPAM_SHARES = (3, 2), (0.0, 0.1, 0.2)
N_EACH, REPLICATES = 100, 1_000


@dataclass(frozen=True, slots=True)
class Person:
    """The kind of somebody, whether there is a reason for a look, and for which signals.

    `is_first`: whether they are among as many from the top of the order as the crowd has spammers.
    """

    kind: str
    reasons: tuple[str, ...]
    is_first: bool


@dataclass(frozen=True, slots=True)
class Ratio:
    found: int
    n: int

    def __str__(self) -> str:
        interval = wilson(self.found, self.n)
        if interval.low is None or interval.high is None:
            return "undefined (nobody)"
        return (
            f"{self.found} of {self.n}, {100 * self.found / self.n:.1f} %"
            f" ({100 * interval.low:.1f} to {100 * interval.high:.1f})"
        )


def kinds_of(n_people: int, share: float, turn: int) -> list[str]:
    """Return honest people, then spammers: kinds in turn, continuing after the crowd before."""
    n = round(n_people * share)
    spammers = [SPAMMERS[(turn * n + number) % len(SPAMMERS)] for number in range(n)]
    return [HONEST] * (n_people - n) + spammers


def examined(kinds: Sequence[str], *, each: int, seed: int) -> list[Person]:
    entries = at_work(np.random.default_rng(seed), kinds, n_each=N_EACH, each=each)
    return people(examine(entries, replicates=REPLICATES, seed=seed), kinds)


def people(found: Report, kinds: Sequence[str]) -> list[Person]:
    """Return the people of `found`, named by their place in `kinds`, in its order."""
    n_spammers = sum(kind != HONEST for kind in kinds)
    return [
        Person(
            kind=kinds[int(person.annotator[1:])],
            reasons=tuple(sorted({each.kind for each in person.reasons})),
            is_first=rank < n_spammers,
        )
        for rank, person in enumerate(found.people)
    ]


def precision(crowd: Iterable[Person]) -> Ratio:
    """Return the share of spammers among those with a reason."""
    found = [person.kind != HONEST for person in crowd if person.reasons]
    return Ratio(sum(found), len(found))


def recall(crowd: Iterable[Person]) -> Ratio:
    """Return the share of spammers with a reason."""
    found = [bool(person.reasons) for person in crowd if person.kind != HONEST]
    return Ratio(sum(found), len(found))


def at_the_top(crowd: Iterable[Person]) -> Ratio:
    """Return the share of spammers among as many from the top of the order."""
    found = [person.is_first for person in crowd if person.kind != HONEST]
    return Ratio(sum(found), len(found))


def of_kind(crowd: Iterable[Person], kind: str) -> Ratio:
    """Return the share of people of a kind with a reason."""
    found = [bool(person.reasons) for person in crowd if person.kind == kind]
    return Ratio(sum(found), len(found))


def why(crowd: Iterable[Person], kind: str) -> str:
    """Return the signals that were reasons, the most common first."""
    names = [name for person in crowd if person.kind == kind for name in person.reasons]
    counts = sorted({name: names.count(name) for name in names}.items(), key=lambda at: -at[1])
    return ", ".join(f"{name} {n}" for name, n in counts) or "none"


def cells(sizes: Sequence[int]) -> Iterator[tuple[int, int, float]]:
    return product(sizes, EACH, SPAM_SHARES)


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.spammers")
    parser.add_argument("--full", action="store_true")
    is_full = parser.parse_args().full
    sizes, n_crowds = ((20, 40), 25) if is_full else ((20,), 4)
    began, everybody = time.process_time(), dict[int, list[Person]]()
    print(f"{n_crowds} crowds a row\n")
    print("| people | judgements | spammers | precision | recall | at the top | honest, a reason |")
    print("| --- " * 7 + "|")
    for n_people, each, share in cells(sizes):
        crowd = [
            person
            for turn in range(n_crowds)
            for person in examined(kinds_of(n_people, share, turn), each=each, seed=turn)
        ]
        everybody.setdefault(each, []).extend(crowd)
        figures = [precision(crowd), recall(crowd), at_the_top(crowd), of_kind(crowd, HONEST)]
        shown = " | ".join(map(str, figures))
        print(f"| {n_people} | {each} | {100 * share:.0f} % | {shown} |", flush=True)
    print("\n| kind | judgements | with a reason | which |\n| --- | --- | --- | --- |")
    for kind, each in product((*SPAMMERS, HONEST), EACH):
        of = everybody[each]
        print(f"| {kind} | {each} | {of_kind(of, kind)} | {why(of, kind)} |")
    print(f"\n{time.process_time() - began:.0f} s of CPU")


if __name__ == "__main__":
    main()
