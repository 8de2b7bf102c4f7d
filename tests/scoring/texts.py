"""Texts like those that are scored, and worse ones, for checks against other people's programs."""

import json
import random

from hypothesis import strategies as st

from tests.corpus.imports import DEMO

# What measures stumble over: case that changes the length, articles in odd places, digits, combining
# marks, scripts without spaces, a lone surrogate, every kind of space.
PIECES = (
    *("the", "a", "an", "The", "cat", "cats", "running", "ran", "2015", "1", "x1", "it's", "U.S."),
    *(
        "\u0130stanbul",
        "\u212a9",
        "stra\u00dfe",
        "STRASSE",
        "na\u00efve",
        "nai\u0308ve",
        "\ufb01ne",
    ),
    *("\u732b\u304c\u597d\u304d", "\u0baa\u0bc2", "\U0001f408", "\u2014", "...", "(in)", "\ud800"),
)
SPACES = (" ", "  ", "\n", "\t", "\u00a0", "\u3000", "-", "\u2014", "")
VOCABULARY = tuple(f"w{rank}" for rank in range(40))

ODD = st.lists(st.sampled_from((*PIECES, *SPACES)), max_size=30).map("".join)
ANY = st.text(max_size=40)


def pairs(n: int, seed: int) -> list[tuple[str, str]]:
    """Made-up pairs that share many words, from nothing to the length of a passage."""
    rng = random.Random(seed)
    return [(text(rng), text(rng)) for _ in range(n)]


def text(rng: random.Random) -> str:
    n_words = rng.choice((0, 1, 3, 10, 10, 20, 60))
    words = rng.choices((*PIECES, *VOCABULARY), k=n_words)
    return "".join(word + rng.choice(SPACES[:4]) for word in words)


def demo_pairs() -> list[tuple[str, str]]:
    """Every answer of the demonstration's runs with the reference of its turn."""
    truth = {place(row): row["Truth_answer"] for row in rows(DEMO / "truth.json")}
    return [
        (row["Model_answer"], truth[place(row)])
        for path in sorted((DEMO / "runs").glob("*.json"))
        for row in rows(path)
        if place(row) in truth
    ]


def rows(path):
    return json.loads(path.read_text(encoding="utf-8"))


def place(row):
    return row["Conversation_no"], row["Turn_no"]
