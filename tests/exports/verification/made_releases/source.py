"""What made releases are drawn from: a seed, a rule, a size and people of different accuracy."""

import hashlib
from dataclasses import dataclass
from itertools import count
from random import Random

from annotation.schemes.relation import SCHEME as RELATION

LABELS = {
    "plausibility": ("plausible", "implausible", "malformed"),
    "faithfulness": ("faithful", "unfaithful", "irrelevant"),
    "relation": RELATION.labels,
}
GUIDELINE = "Judge what is written.\n"
OF_GUIDELINE = hashlib.sha256(GUIDELINE.encode()).hexdigest()
STUDY = "made"


@dataclass(frozen=True)
class Size:
    """How much is judged: `n_turns` turns by `n_runs` runs, each answer by `n_wanted` of `n_people`."""

    n_turns: int = 24
    n_runs: int = 4
    n_people: int = 6
    n_wanted: int = 2
    turns_each: int = 2  # of a conversation
    is_audited: bool = True
    has_sentences: bool = False  # the last run's answers are extracted sentences


class Source:
    """The random numbers, times and ids of one release, and how often each of its people is right."""

    def __init__(self, seed: int, rule: str, size: Size) -> None:
        self.random, self.rule, self.size = Random(seed), rule, size
        self.clock, self.number = count(), count(1)
        people = range(1, size.n_people + 1)
        self.accuracy = {f"p{n:04d}": self.random.uniform(0.7, 0.97) for n in people}

    def now(self) -> str:
        seconds = next(self.clock)
        day, hour, minute = 1 + seconds // 86_400 % 28, seconds // 3600 % 24, seconds // 60 % 60
        return f"2026-03-{day:02d}T{hour:02d}:{minute:02d}:{seconds % 60:02d}.000000Z"

    def identity(self) -> str:
        return f"{self.random.getrandbits(64):016x}"[:12] + f"-{next(self.number)}"
