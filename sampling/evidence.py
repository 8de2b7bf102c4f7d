"""One paragraph of evidence for a turn: what its passages say that is near to its answers.

The way of the shared task's organisers, with every choice a parameter: `find` takes from each
passage the span nearest to each answer by token overlap and widens it to whole sentences;
`keep_similar` drops the sentences that are not close in meaning to any of the turn's answers;
`cap` leaves what a person reads in the time that is paid. Every sentence keeps its passage, its
place and the answers it was found for, so that the paragraph that is shown can be traced back.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from sampling.sentences import pieces, sentences
from sampling.spans import best_span_in, prepare


@dataclass(frozen=True, slots=True)
class Source:
    docid: str
    text: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage, or a piece of one too long to show: `text` is its `[start, end)`.

    `matches` are the keys of the answers it was found for with the F1 of the span that led to
    it, sorted by key; `sas` is its highest similarity to any of the turn's answers, once known.
    """

    docid: str
    start: int
    end: int
    text: str
    matches: tuple[tuple[str, float], ...]
    sas: float | None = None


def find(
    sources: Iterable[Source],
    answers: Mapping[str, str],
    *,
    threshold: float = 0.3,
    max_tokens: int = 100,
) -> list[Sentence]:
    """The sentences around the best span of every answer in every passage.

    A span counts if its F1 is strictly over `threshold`, and is widened by
    `sampling.sentences.pieces` under the cap of `max_tokens`. Pieces of one passage that overlap
    become one. A text that comes again, in this passage or a later one (web pages repeat, with
    other white space), is kept where it comes first, with the answers of both. The order is that
    of `sources`, then that of the text.
    """
    found: dict[str, Sentence] = {}
    for source in sources:
        for sentence in _find_in(source, answers, threshold=threshold, max_tokens=max_tokens):
            wording = " ".join(sentence.text.split())
            first = found.setdefault(wording, sentence)
            if first is not sentence:
                found[wording] = replace(
                    first, matches=_united(dict(first.matches), dict(sentence.matches))
                )
    return list(found.values())


def keep_similar(
    found: Iterable[Sentence], similarity: Mapping[tuple[str, str], float], *, threshold: float
) -> list[Sentence]:
    """The sentences with a similarity strictly over `threshold` to any of the turn's answers.

    `similarity` holds, for (text of a sentence, key of an answer), the SAS of the two, for all
    answers of the turn and not only those that the sentence was found for. The highest is
    recorded as the sentence's `sas`. A sentence without any is a `KeyError`. The threshold
    belongs to the scorer that gave the numbers.
    """
    highest: dict[str, float] = {}
    for (text, _), value in similarity.items():
        highest[text] = max(value, highest.get(text, value))
    return [
        replace(sentence, sas=highest[sentence.text])
        for sentence in found
        if highest[sentence.text] > threshold
    ]


def cap(found: Iterable[Sentence], max_words: int = 200) -> list[Sentence]:
    """The most relevant sentences that have together at most `max_words` white-space words.

    Taken by SAS, then by best F1, then in the given order; one that no longer fits is passed
    over for shorter ones. The result keeps the given order. If even the most relevant one is
    longer than the cap it is shown alone: evidence is never empty because of the cap.

    The default is what is read in the minute that the shared task paid for: silent reading of
    English is 238 words a minute (Brysbaert 2019), of which question and answer take about 40.
    """
    given = list(found)
    ranked = sorted(range(len(given)), key=lambda index: _relevance(given[index]), reverse=True)
    taken: set[int] = set()
    left = max_words
    for index in ranked:
        n_words = len(given[index].text.split())
        if n_words <= left or not taken:
            taken.add(index)
            left -= n_words
    return [sentence for index, sentence in enumerate(given) if index in taken]


def _relevance(sentence: Sentence) -> tuple[float, float]:
    nearest = max((f1 for _, f1 in sentence.matches), default=0.0)
    return (-math.inf if sentence.sas is None else sentence.sas, nearest)


def _find_in(
    source: Source, answers: Mapping[str, str], *, threshold: float, max_tokens: int
) -> Iterator[Sentence]:
    passage, split = prepare(source.text), sentences(source.text)
    found: dict[tuple[int, int], dict[str, float]] = {}
    for key, answer in answers.items():
        span = best_span_in(passage, answer)
        if span is None or span.f1 <= threshold:
            continue
        for piece in pieces(source.text, split, span.start, span.end, max_tokens=max_tokens):
            found.setdefault(piece, {})[key] = span.f1
    for (start, end), matches in _merged(found):
        yield Sentence(source.docid, start, end, source.text[start:end], _united(matches))


def _merged(
    found: dict[tuple[int, int], dict[str, float]],
) -> list[tuple[tuple[int, int], dict[str, float]]]:
    """The pieces in order, those that overlap made one.

    An answer has one span in a passage, so the same F1 on every piece.
    """
    merged: list[tuple[tuple[int, int], dict[str, float]]] = []
    for start, end in sorted(found):
        matches = found[start, end]
        if merged and start < merged[-1][0][1]:
            (first, last), earlier = merged[-1]
            merged[-1] = ((first, max(last, end)), earlier | matches)
        else:
            merged.append(((start, end), matches))
    return merged


def _united(*matches: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """For each answer its highest F1, sorted by key."""
    highest: dict[str, float] = {}
    for found in matches:
        for key, f1 in found.items():
            highest[key] = max(f1, highest.get(key, f1))
    return tuple(sorted(highest.items()))
