"""How many tables of honest simulated people have a reason for a look (`stats.annotators`).

    python -m bench.false_reasons            # 10 tables a row: in `make bench`
    python -m bench.false_reasons --full     # 60 tables a row

At most one table in twenty is to have a reason. Four cases in which it was more: newcomers who are
asked about disputed items only, the batch's own people who take the extra items in a later session,
preference batches, and people unlike in leniency on a scale from 1 to 4. Beside it, where it can
be had from the same judgements, the result of what is wrong: extra judgements taken for first ones,
or an entry for both answers of a pair.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from stats.annotators.entries import Entry
from stats.annotators.report import examine

LABELS, SHARES, ACCURACY = ("plausible", "implausible", "malformed"), (0.9, 0.05, 0.05), 0.9
N_EACH_QUESTION, N_EACH_SESSION = 4, 40
SECONDS_EACH, SECONDS_BETWEEN, DAY = 20.0, 3_600.0, 86_400.0
TIE, PREFERS_BETTER = 0.15, 0.75
CUTS, LENIENCY, NOISE = (-1.2, -0.5, 0.3), 0.5, 0.6
REPLICATES = 1_000

Entries = list[Entry]


@dataclass(frozen=True, slots=True)
class Place:
    """One item for one person, with the number of the person's items before it."""

    step: int
    person: int
    item: int

    def entry(self, label: str, *, start: float = 0.0, **of: object) -> Entry:
        n_before = self.step // N_EACH_SESSION * SECONDS_BETWEEN
        entry = Entry(
            worker=f"p{self.person:02}",
            batch="first",
            submission=f"p{self.person:02} i{self.item}",
            item=f"i{self.item}",
            turn=f"q{self.item // N_EACH_QUESTION}",
            asked="plausibility",
            answer="a1",
            label=label,
            position=1,
            submitted_at=start + self.step * SECONDS_EACH + n_before,
            active_seconds=SECONDS_EACH,
            n_words=30,
            is_counted=True,
        )
        return replace(entry, **of)  # type: ignore[arg-type]


def places(
    rng: Generator, items: Sequence[int], people: Sequence[int], each: int
) -> Iterable[Place]:
    """Yield `each` people for every item, those who have done least first, at random among equals."""
    n_done = dict.fromkeys(people, 0)
    for item in items:
        for person in sorted(people, key=lambda who: (n_done[who], rng.random()))[:each]:
            yield Place(n_done[person], person, item)
            n_done[person] += 1


def _said(rng: Generator, truth: int) -> str:
    if rng.random() < ACCURACY:
        return LABELS[truth]
    return LABELS[(truth + int(rng.integers(1, len(LABELS)))) % len(LABELS)]


def _first_two(rng: Generator, truth: Sequence[int], n_people: int) -> tuple[Entries, list[int]]:
    """Return two judgements of each item, and the items that they dispute."""
    items = range(len(truth))
    said = [
        each.entry(_said(rng, truth[each.item])) for each in places(rng, items, range(n_people), 2)
    ]
    labels = Counter((each.item, each.label) for each in said)
    return said, [item for item in items if 2 not in {labels[f"i{item}", at] for at in LABELS}]


def newcomers(rng: Generator) -> Entries:
    """Return two judgements of each item, and a third of the disputed ones by two other people."""
    truth = rng.choice(len(LABELS), size=400, p=SHARES).tolist()
    said, disputed = _first_two(rng, truth, 8)
    extra = places(rng, disputed, range(8, 10), 1)
    return said + [
        each.entry(_said(rng, truth[each.item]), start=DAY, is_extra=True) for each in extra
    ]


def own_people(rng: Generator) -> Entries:
    """Return two judgements of each item, and a third of the disputed ones by those who did not
    judge them, in a later session.
    """
    truth = rng.choice(len(LABELS), size=400, p=SHARES).tolist()
    said, disputed = _first_two(rng, truth, 8)
    seen = {(each.worker, each.item) for each in said}
    n_done = dict.fromkeys(range(8), 0)
    for item in disputed:
        free = [who for who in n_done if (f"p{who:02}", f"i{item}") not in seen]
        who = min(free, key=lambda who: (n_done[who], rng.random()))
        place = Place(n_done[who], who, item)
        n_done[who] += 1
        said.append(place.entry(_said(rng, truth[item]), start=DAY, is_extra=True))
    return said


def preferences(rng: Generator) -> Entries:
    """Return three preferences of each pair; the sides are drawn for each screen."""
    is_first_better = rng.random(160) < 0.5
    said = []
    for each in places(rng, range(160), range(8), 3):
        label = "tie"
        if rng.random() >= TIE:
            is_first = is_first_better[each.item] == (rng.random() < PREFERS_BETTER)
            label = "preferred" if is_first else "other"
        side = int(rng.integers(1, 3))
        said.append(each.entry(label, asked="preference", position=side, is_pair=True))
    return said


def lenient(rng: Generator) -> Entries:
    """Return three ratings of each item from 1 to 4 by people who are unlike in leniency."""
    quality, leniency = rng.normal(size=240), rng.normal(0, LENIENCY, size=8)
    return [
        each.entry(
            str(
                1
                + int(
                    np.searchsorted(
                        CUTS, quality[each.item] + leniency[each.person] + rng.normal(0, NOISE)
                    )
                )
            ),
            asked="appropriate",
        )
        for each in places(rng, range(240), range(8), 3)
    ]


def as_first(said: Entries) -> Entries:
    return [replace(each, is_extra=False) for each in said]


def both_rows(said: Entries) -> Entries:
    """Return an entry for each answer of a pair, as if these were two judgements."""
    rows = [row for each in said for row in (each, replace(each.mirrored, answer="a2"))]
    return [replace(row, is_pair=False) for row in rows]


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    made: Callable[[Generator], Entries]
    wrong: Callable[[Entries], Entries] | None


CASES = (
    Case("newcomers on disputed items only", newcomers, as_first),
    Case("own people on extra items, later", own_people, as_first),
    Case("preferences", preferences, both_rows),
    Case("lenient people on 1 to 4", lenient, None),
)


@dataclass(frozen=True, slots=True)
class Found:
    """How many tables have a reason, and how often each signal is one."""

    n_tables: int
    n_with_reason: int
    kinds: Counter[str]

    def __str__(self) -> str:
        which = ", ".join(f"{kind} {n}" for kind, n in self.kinds.most_common())
        return f"{self.n_with_reason} of {self.n_tables}" + (f" ({which})" if which else "")


def found(case: Case, n_tables: int, *, is_wrong: bool = False) -> Found:
    kinds, n_with_reason = Counter[str](), 0
    for seed in range(n_tables):
        said = case.made(np.random.default_rng(seed))
        said = case.wrong(said) if is_wrong and case.wrong else said
        people = examine(said, replicates=REPLICATES, seed=seed).people
        reasons = [one.kind for each in people for one in each.reasons]
        kinds.update(reasons)
        n_with_reason += bool(reasons)
    return Found(n_tables, n_with_reason, kinds)


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.false_reasons")
    parser.add_argument("--full", action="store_true")
    n_tables = 60 if parser.parse_args().full else 10
    began = time.process_time()
    print("| honest people | tables with a reason | with what is wrong |\n| --- | --- | --- |")
    for case in CASES:
        wrong = found(case, n_tables, is_wrong=True) if case.wrong else ""
        print(f"| {case.name} | {found(case, n_tables)} | {wrong} |", flush=True)
    print(f"\n{time.process_time() - began:.0f} s of CPU")


if __name__ == "__main__":
    main()
