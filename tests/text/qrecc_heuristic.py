"""The QReCC heuristic for the span nearest to an answer, which the exact search never falls below.

Written from the description in the data set's paper (Anantha et al. 2021), not from its authors' code. It examines only windows of one length, chooses among them by
the similarity of characters, and then takes the best part of the chosen one.
"""

from collections import Counter
from difflib import SequenceMatcher

from text.tokens import words


def best_f1(passage: str, answer: str) -> float:
    """Return 1.0 if the answer occurs verbatim in the passage, even inside a word.

    Else the best F1.

    With n the answer's white-space words, it is the highest token F1 of any part of that window of
    n + ⌊n / 20⌋ words which `difflib`'s `quick_ratio` finds nearest to the answer (the first of
    equals).
    """
    if answer in passage:
        return 1.0
    window = max(_windows(passage, answer), key=lambda text: _similarity(text, answer))
    found, wanted = words(window), words(answer)
    return max(
        (
            _f1(found[start:end], wanted)
            for start in range(len(found))
            for end in range(start + 1, len(found) + 1)
        ),
        default=0.0,
    )


def _windows(passage: str, answer: str) -> list[str]:
    n = len(answer.split())
    size = n + n // 20
    raw = passage.split()
    return [" ".join(raw[at : at + size]) for at in range(max(1, len(raw) - size + 1))]


def _similarity(text: str, answer: str) -> float:
    return SequenceMatcher(None, text, answer).quick_ratio()


def _f1(found: list[str], wanted: list[str]) -> float:
    shared = (Counter(found) & Counter(wanted)).total()
    return 2 * shared / (len(found) + len(wanted))
