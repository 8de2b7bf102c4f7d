"""The reasons for a look (`stats.annotators`) in tables of simulated annotators.

At most one table in twenty of honest annotators is to have a reason. `at_work` simulates annotators of known kinds,
100 items each, of whom none or a fifth does not look. The four TABLES are honest annotators in cases in which it
was more: newcomers who are asked about disputed items only, the batch's own annotators who take extra items in a
later session, comparisons of two answers, and unlike leniency on a scale from 1 to 4.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from bench.coverage.engine import Observation, rejected
from stats.annotators.entries import Entry
from stats.annotators.report import examine

LABELS, SHARES = ("plausible", "implausible", "malformed"), (0.9, 0.05, 0.05)
HONEST = "honest"
ONE_LABEL, USUAL_SHARES, ANY_LABEL = "one label", "any label, as often as they occur", "any label"
TOO_FAST, DRIFTING = "five times too fast, right in .7", "right in .6 from the middle on"
SPAMMERS = (ONE_LABEL, USUAL_SHARES, ANY_LABEL, TOO_FAST, DRIFTING)
ACCURACY, SPREAD, ACCURACY_OF = 0.92, 60.0, {TOO_FAST: 0.7, DRIFTING: 0.6}
N_EACH, N_PEOPLE, N_SPAMMERS = 100, 20, 4
SECONDS_A_WORD, HURRY = 0.3, 0.2
N_EACH_QUESTION, N_EACH_SESSION, BETWEEN, DAY = 4, 40, 3_600.0, 86_400.0
REPLICATES = 1_000

Entries = list[Entry]


def entry(person: int, item: int, label: str, at: float, **of: object) -> Entry:
    plain = Entry(
        worker=f"p{person:04}",
        batch="first",
        submission=f"p{person:04} i{item}",
        item=f"i{item}",
        turn=f"q{item // N_EACH_QUESTION}",
        asked="plausibility",
        answer="a1",
        label=label,
        position=1,
        submitted_at=at,
        active_seconds=20.0,
        n_words=30,
        is_counted=True,
    )
    return replace(plain, **of)  # type: ignore[arg-type]


def at_work(
    rng: Generator, kinds: Sequence[str], *, per_item: int, n_each: int = N_EACH
) -> Entries:
    """Return the judgements of everybody, worker p0000 being of the first kind."""
    n_items = len(kinds) * n_each // per_item
    truth = rng.choice(len(LABELS), size=n_items, p=SHARES)
    words = rng.integers(15, 61, size=n_items)
    skill = rng.beta(SPREAD * ACCURACY, SPREAD * (1 - ACCURACY), size=len(kinds))
    pace = np.exp(rng.normal(0, 0.25, size=len(kinds)))
    clock = np.zeros(len(kinds))
    entries = []
    for step, person, item in _assignments(rng, len(kinds), n_items, n_each, per_item):
        kind, n_words = kinds[person], int(words[item])
        label = _label(rng, kind, int(truth[item]), float(skill[person]), step / n_each)
        seconds = SECONDS_A_WORD * n_words * float(pace[person] * np.exp(rng.normal(0, 0.4)))
        seconds *= HURRY if kind == TOO_FAST else 1
        is_last = step % N_EACH_SESSION == N_EACH_SESSION - 1
        clock[person] += seconds + (BETWEEN if is_last else 2)
        of = {"active_seconds": seconds, "n_words": n_words}
        entries.append(entry(person, item, LABELS[label], float(clock[person]), **of))
    return entries


def _assignments(
    rng: Generator, n_people: int, n_items: int, n_each: int, per_item: int
) -> Iterator[tuple[int, int, int]]:
    """Yield the person's number of earlier items, the person and the item.

    The order of people is random for every item, otherwise the same two would always meet.
    """
    left, reached = [per_item] * n_items, [0] * n_people
    for step in range(n_each):
        for person in rng.permutation(n_people).tolist():
            while reached[person] < n_items and not left[reached[person]]:
                reached[person] += 1
            item = reached[person]
            if item < n_items:
                reached[person], left[item] = item + 1, left[item] - 1
                yield step, person, item


def _label(rng: Generator, kind: str, truth: int, skill: float, done: float) -> int:
    if kind == ONE_LABEL:
        return 0
    if kind == USUAL_SHARES:
        return int(rng.choice(len(LABELS), p=SHARES))
    if kind == ANY_LABEL:
        return int(rng.integers(len(LABELS)))
    is_worse = kind == TOO_FAST or (kind == DRIFTING and done >= 0.5)
    is_right = rng.random() < (ACCURACY_OF[kind] if is_worse else skill)
    return truth if is_right else int((truth + rng.integers(1, len(LABELS))) % len(LABELS))


def spammers(per_item: int, n_sets: int) -> Iterator[Observation]:
    """Yield which annotators have a reason, in crowds with and without a fifth that does not look."""
    for n_spammers in (0, N_SPAMMERS):
        for turn in range(n_sets):
            bad = [SPAMMERS[(turn * n_spammers + k) % len(SPAMMERS)] for k in range(n_spammers)]
            kinds = [HONEST] * (N_PEOPLE - n_spammers) + bad
            entries = at_work(np.random.default_rng(turn), kinds, per_item=per_item)
            report = examine(entries, replicates=REPLICATES, seed=turn)
            for rank, person in enumerate(report.people):
                kind, has_reason = kinds[int(person.annotator[1:])], bool(person.reasons)
                yield Observation("with a reason", kind, float(has_reason))
                if kind != HONEST:
                    is_first = float(rank < n_spammers)
                    yield Observation("among the first", "all who do not look", is_first)
            if not n_spammers:
                some = any(person.reasons for person in report.people)
                yield rejected("some annotator of an honest table", is_rejected=some)


# Honest annotators in tables of four kinds

TIE, PREFERS_BETTER = 0.15, 0.75
CUTS, LENIENCY, NOISE = (-1.2, -0.5, 0.3), 0.5, 0.6


def places(
    rng: Generator, items: Iterable[int], people: Sequence[int], per_item: int
) -> Iterator[tuple[int, int, float]]:
    """Yield the person, the item and the time: those who have done least first, at random among equals."""
    n_done = dict.fromkeys(people, 0)
    for item in items:
        for person in sorted(people, key=lambda who: (n_done[who], rng.random()))[:per_item]:
            step = n_done[person]
            yield person, item, step * 20.0 + step // N_EACH_SESSION * BETWEEN
            n_done[person] += 1


def _label_of(rng: Generator, truth: int) -> str:
    is_right = rng.random() < 0.9
    return LABELS[truth if is_right else (truth + int(rng.integers(1, 3))) % len(LABELS)]


def _first_two(rng: Generator) -> tuple[Entries, list[int], list[int]]:
    """Return two judgements of each item by eight people, the true labels, and the disputed items."""
    truth = rng.choice(len(LABELS), size=400, p=SHARES).tolist()
    first = [
        entry(who, item, _label_of(rng, truth[item]), at)
        for who, item, at in places(rng, range(400), range(8), 2)
    ]
    given = Counter((each.item, each.label) for each in first)
    disputed = [k for k in range(400) if 2 not in {given[f"i{k}", label] for label in LABELS}]
    return first, truth, disputed


def newcomers(rng: Generator) -> Entries:
    """Return also a third judgement of the disputed items by two other people."""
    entries, truth, disputed = _first_two(rng)
    return entries + [
        entry(who, item, _label_of(rng, truth[item]), DAY + at, is_extra=True)
        for who, item, at in places(rng, disputed, range(8, 10), 1)
    ]


def own_people(rng: Generator) -> Entries:
    """Return also a third judgement of the disputed items by those who did not judge them, a day later."""
    entries, truth, disputed = _first_two(rng)
    judged = {(each.worker, each.item) for each in entries}
    n_done = dict.fromkeys(range(8), 0)
    for item in disputed:
        free = [who for who in n_done if (f"p{who:04}", f"i{item}") not in judged]
        who = min(free, key=lambda each: (n_done[each], rng.random()))
        at = DAY + n_done[who] * 20.0 + n_done[who] // N_EACH_SESSION * BETWEEN
        n_done[who] += 1
        entries.append(entry(who, item, _label_of(rng, truth[item]), at, is_extra=True))
    return entries


def preferences(rng: Generator) -> Entries:
    """Return three preferences of each pair; the sides are drawn for each screen."""
    is_first_better = rng.random(160) < 0.5
    entries = []
    for who, item, at in places(rng, range(160), range(8), 3):
        label = "tie"
        if rng.random() >= TIE:
            is_first = is_first_better[item] == (rng.random() < PREFERS_BETTER)
            label = "preferred" if is_first else "other"
        of = {"asked": "preference", "position": int(rng.integers(1, 3)), "is_pair": True}
        entries.append(entry(who, item, label, at, **of))
    return entries


def lenient(rng: Generator) -> Entries:
    """Return three ratings of each item from 1 to 4 by people who are unlike in leniency."""
    quality, leniency = rng.normal(size=240), rng.normal(0, LENIENCY, size=8)
    entries = []
    for who, item, at in places(rng, range(240), range(8), 3):
        value = quality[item] + leniency[who] + rng.normal(0, NOISE)
        rating = str(1 + int(np.searchsorted(CUTS, value)))
        entries.append(entry(who, item, rating, at, asked="appropriate"))
    return entries


TABLES: dict[str, Callable[[Generator], Entries]] = {
    "newcomers on disputed items only": newcomers,
    "own people on extra items, later": own_people,
    "comparisons of two answers": preferences,
    "lenient people on 1 to 4": lenient,
}


def has_reason(entries: Entries, seed: int) -> bool:
    report = examine(entries, replicates=REPLICATES, seed=seed)
    return any(person.reasons for person in report.people)


def honest_tables(_: int, n_sets: int) -> Iterator[Observation]:
    for name, table in TABLES.items():
        for seed in range(n_sets):
            entries = table(np.random.default_rng(seed))
            yield rejected(name, is_rejected=has_reason(entries, seed))
