"""Honest people and others at 90/5/5, for the figures on annotators."""

import random
from math import exp

from stats.annotators.entries import Entry

LABELS = ("plausible", "implausible", "malformed")
PREVALENCE = (0.9, 0.05, 0.05)


def entry(**of) -> Entry:
    """An entry of which only what matters is said."""
    ordinary = {
        "worker": "p0001",
        "batch": "first",
        "submission": f"{of.get('worker', 'p0001')} {of.get('item', 'i1')}",
        "item": "i1",
        "turn": of.get("item", "i1"),
        "asked": "plausibility",
        "answer": "a1",
        "label": "plausible",
        "position": 1,
        "submitted_at": 0.0,
        "active_seconds": 8.0,
        "n_words": 30,
        "is_counted": True,
    }
    return Entry(**{**ordinary, **of})


def work(worker: str, labels: list[str], *, gap: float = 20.0, **of) -> list[Entry]:
    """One label an item, each item of a question of its own, `gap` seconds apart."""
    return [
        entry(worker=worker, item=f"i{at}", label=label, submitted_at=at * gap, **of)
        for at, label in enumerate(labels)
    ]


def crowd_at_work(
    seed: int,
    *,
    n_people: int = 20,
    n_items: int = 100,
    n_wanted: int = 3,
    accuracy: float = 0.94,
    spammers: dict[int, str] | None = None,
) -> list[Entry]:
    """Everybody takes the next item with a place left, as the desk hands them out; three items a question.

    People are right with the probability `accuracy`; their speeds differ by a factor of e^.25. Spammers press
    "one" key, or any at "random", or are too "fast" to read.
    """
    draw, kinds = random.Random(seed), spammers or {}
    n_all = n_people * n_items // n_wanted
    truths = [draw.choices(LABELS, PREVALENCE)[0] for _ in range(n_all)]
    words = [draw.randint(15, 60) for _ in range(n_all)]
    pace = [exp(draw.gauss(0, 0.25)) for _ in range(n_people)]
    left, reached, clock = [n_wanted] * n_all, [0] * n_people, [0.0] * n_people
    said = []
    for step in range(n_items):
        for person in range(n_people):
            while reached[person] < n_all and not left[reached[person]]:
                reached[person] += 1
            at = reached[person]
            if at == n_all:
                continue
            reached[person], left[at] = at + 1, left[at] - 1
            kind = kinds.get(person, "")
            label = _said(draw, kind, truths[at], accuracy)
            seconds = 0.3 * words[at] * pace[person] * exp(draw.gauss(0, 0.4))
            seconds *= 0.03 if kind == "fast" else 1
            clock[person] += seconds + (3600 if step % 40 == 39 else 2)
            said.append(
                entry(
                    worker=f"p{person:04d}",
                    item=f"i{at}",
                    turn=f"q{at // 3}",
                    label=label,
                    submitted_at=clock[person],
                    active_seconds=seconds,
                    n_words=words[at],
                )
            )
    return said


def _said(draw: random.Random, kind: str, truth: str, accuracy: float) -> str:
    if kind == "one":
        return "plausible"
    if kind == "random":
        return draw.choice(LABELS)
    if draw.random() < accuracy:
        return truth
    return draw.choice([label for label in LABELS if label != truth])
