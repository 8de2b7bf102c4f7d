"""Which sentences of evidence are asked about as answers. Imports no Django."""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class EvidenceSentence:
    """A sentence of evidence of a turn, with the id of its passage and its place in the paragraph.

    `f1` is the highest token F1 of an answer that it was found for, `sas` its highest similarity to one.
    """

    turn: str
    docid: str
    text: str
    position: int
    f1: float
    sas: float | None = None


@dataclass(frozen=True)
class Extraction:
    """The sentences to ask about, by turn, nearest to the answers first, and how many were left out and why.

    n_equal     equal to a candidate or to a reference of the turn, or to a sentence before it
    n_beyond    more than were wanted of a turn
    """

    by_turn: Mapping[str, tuple[EvidenceSentence, ...]]
    n_equal: int
    n_beyond: int

    @property
    def n_sentences(self) -> int:
        return sum(map(len, self.by_turn.values()))

    def ranks(self) -> list[list[EvidenceSentence]]:
        """Return the first sentence of each turn, then the second of each that has one, and so on."""
        most = max(map(len, self.by_turn.values()), default=0)
        return [
            [found[rank] for found in self.by_turn.values() if len(found) > rank]
            for rank in range(most)
        ]


def wording(text: str) -> str:
    """Return the text with white space as single blanks: web pages break lines anywhere."""
    return " ".join(text.split())


def extract(
    sentences: Iterable[EvidenceSentence],
    known: Mapping[str, Collection[str]],
    *,
    most: int | None = None,
) -> Extraction:
    """Return the sentences that equal none of the texts that are known of their turn.

    Texts are equal if their wordings are. At most `most` are taken of a turn, those with the highest SAS, then F1,
    then the first; without it all.
    """
    seen = {turn: {wording(text) for text in texts} for turn, texts in known.items()}
    found: dict[str, list[EvidenceSentence]] = {}
    n_equal = 0
    for sentence in sorted(sentences, key=_rank):
        of_turn, text = seen.setdefault(sentence.turn, set()), wording(sentence.text)
        if not text or text in of_turn:
            n_equal += 1
            continue
        of_turn.add(text)
        found.setdefault(sentence.turn, []).append(sentence)
    taken = {turn: tuple(each[:most]) for turn, each in found.items()}
    n_beyond = sum(map(len, found.values())) - sum(map(len, taken.values()))
    return Extraction(taken, n_equal, n_beyond)


def _rank(sentence: EvidenceSentence) -> tuple[str, float, float, int]:
    sas = -math.inf if sentence.sas is None else sentence.sas
    return sentence.turn, -sas, -sentence.f1, sentence.position
