"""Simulated people of known kinds for `stats.annotators`: labels, times, durations. Imports no Django.

    entries = at_work(rng, [HONEST] * 18 + [SAYS_ONE, DRIFTS], n_each=100, each=3)

Everybody takes the next item with an open place, as on the desk, until they have judged `n_each`;
four consecutive items belong to a question. Labels are as rare as in the published data (.9, .05,
.05). Work is in sessions of forty items with an hour between them.

    kind            label                                            time
    HONEST          the truth .92 of the time on average, each       .3 s a word, each with their own pace
                    with their own skill                             (deviation e^.25)
    SAYS_ONE        always the most common label                     as honest people
    SAYS_USUAL      any label, as often as labels occur              as honest people
    SAYS_ANY        any label, each as often                         as honest people
    TOO_FAST        the truth in .7 of the cases                     a fifth of the time
    DRIFTS          as honest people in the first half, then the     as honest people
                    truth in .6 of the cases

Wrong labels are any of the others. A label depends on the item's truth alone: questions that are
hard for everybody are in `bench.questions`.
"""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from stats.annotators.entries import Entry

LABELS = ("plausible", "implausible", "malformed")
SHARES = (0.9, 0.05, 0.05)

HONEST = "honest"
SAYS_ONE = "always says plausible"
SAYS_USUAL = "any label, as often as they occur"
SAYS_ANY = "any label, each as often"
TOO_FAST = "five times too fast, right in .7"
DRIFTS = "drifts: right in .6 from the middle on"
SPAMMERS = (SAYS_ONE, SAYS_USUAL, SAYS_ANY, TOO_FAST, DRIFTS)

ACCURACY, SPREAD = 0.92, 60.0
ACCURACY_OF = {TOO_FAST: 0.7, DRIFTS: 0.6}
SECONDS_A_WORD, HURRY = 0.3, 0.2
N_EACH_QUESTION = 4
N_EACH_SESSION, SECONDS_BETWEEN = 40, 3_600.0

Floats = NDArray[np.float64]


def at_work(rng: Generator, kinds: Sequence[str], *, n_each: int, each: int) -> list[Entry]:
    """Return the entries of everybody, worker `p0000` being of the first kind.

    Raises ValueError for fewer people than judgements an item.
    """
    if each > len(kinds):
        raise ValueError(f"{len(kinds)} people cannot give {each} judgements of an item")
    n_items = len(kinds) * n_each // each
    truth = rng.choice(len(LABELS), size=n_items, p=SHARES)
    words = rng.integers(15, 61, size=n_items)
    skill = rng.beta(SPREAD * ACCURACY, SPREAD * (1 - ACCURACY), size=len(kinds))
    pace = np.exp(rng.normal(0, 0.25, size=len(kinds)))
    clock = np.zeros(len(kinds))
    said = []
    for step, person, item in turns(rng, len(kinds), n_items, n_each, each):
        kind = kinds[person]
        label = _label(rng, kind, int(truth[item]), float(skill[person]), step / n_each)
        seconds = _seconds(rng, kind, int(words[item]), float(pace[person]))
        is_last = step % N_EACH_SESSION == N_EACH_SESSION - 1
        clock[person] += seconds + (SECONDS_BETWEEN if is_last else 2)
        said.append(_entry(person, item, label, int(words[item]), seconds, float(clock[person])))
    return said


def turns(
    rng: Generator, n_people: int, n_items: int, n_each: int, each: int
) -> list[tuple[int, int, int]]:
    """Return (the person's number of earlier items, person, item), in the order of assignment.

    The order of people is random for every item, otherwise the same two would always meet.
    """
    left, reached, found = [each] * n_items, [0] * n_people, []
    for step in range(n_each):
        for person in rng.permutation(n_people).tolist():
            while reached[person] < n_items and not left[reached[person]]:
                reached[person] += 1
            item = reached[person]
            if item == n_items:
                continue
            reached[person], left[item] = item + 1, left[item] - 1
            found.append((step, person, item))
    return found


def _label(rng: Generator, kind: str, truth: int, skill: float, done: float) -> int:
    if kind == SAYS_ONE:
        return 0
    if kind == SAYS_USUAL:
        return int(rng.choice(len(LABELS), p=SHARES))
    if kind == SAYS_ANY:
        return int(rng.integers(len(LABELS)))
    is_off = kind == TOO_FAST or (kind == DRIFTS and done >= 0.5)
    if rng.random() < (ACCURACY_OF[kind] if is_off else skill):
        return truth
    return int((truth + rng.integers(1, len(LABELS))) % len(LABELS))


def _seconds(rng: Generator, kind: str, words: int, pace: float) -> float:
    seconds = SECONDS_A_WORD * words * pace * float(np.exp(rng.normal(0, 0.4)))
    return seconds * HURRY if kind == TOO_FAST else seconds


def _entry(person: int, item: int, label: int, words: int, seconds: float, at: float) -> Entry:
    return Entry(
        worker=f"p{person:04d}",
        batch="first",
        submission=f"p{person:04d} i{item}",
        item=f"i{item}",
        turn=f"q{item // N_EACH_QUESTION}",
        asked="plausibility",
        answer="a1",
        label=LABELS[label],
        position=1,
        submitted_at=at,
        active_seconds=seconds,
        n_words=words,
        is_counted=True,
    )
