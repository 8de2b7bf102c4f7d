"""Find one paragraph of evidence for a turn: sentences of its passages near to its answers.

The method of the shared task's organisers, with every choice a parameter: `find` takes from each
passage the span nearest to each answer by token overlap and widens it to whole sentences;
`keep_similar` drops the sentences that are not close in meaning to any of the turn's answers; `cap`
limits the text to the reading time that is paid. A run's own quotes for its answer are evidence
without either threshold, so that an answer can be compared with its sources. Every sentence keeps
its passage, its place, the answers it was found for and the quotes it belongs to, so that the
paragraph can be traced back, and "follows from what the run cites" is distinguishable from "follows
from what the pool offers".

Words are those of `text.segmentation`: characters, in scripts without spaces.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from text.segmentation import n_words
from text.sentences import sentence_ranges, sentences
from text.spans import best_span_in, prepare_passage, window_f1


@dataclass(frozen=True, slots=True)
class Quote:
    """A run's quote for the answer `answer`: the half-open `[start, end)` of its source's text.

    `citation` distinguishes quotes; several runs may quote for one answer.
    """

    citation: int
    answer: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Source:
    """A passage with its quotes."""

    docid: str
    text: str
    quotes: tuple[Quote, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage, or a piece of one too long to show: `text` is its `[start, end)`.

    `matches` are the keys of the answers it was found for with the F1 of the span that led to it,
    or of the quote if that is higher, sorted by key; `sas` is its highest similarity to any of the
    turn's answers, once known; `citations` are the quotes of which it contains a part, sorted.
    """

    docid: str
    start: int
    end: int
    text: str
    matches: tuple[tuple[str, float], ...]
    sas: float | None = None
    citations: tuple[int, ...] = ()


def find(
    sources: Iterable[Source],
    answers: Mapping[str, str],
    *,
    threshold: float = 0.3,
    max_tokens: int = 100,
) -> list[Sentence]:
    """Return the sentences around every answer's best span and every quote, in every passage.

    A span counts if its F1 is strictly over `threshold`, and is widened by
    `text.sentences.sentence_ranges` under the cap of `max_tokens`; a quote counts whatever its F1,
    and is widened likewise. A quote for a key that is not in `answers` raises KeyError. Overlapping
    pieces of one passage become one. A repeated text, in this passage or a later one (web pages
    repeat, with other white space), is kept in its first place, with the answers and quotes of
    both. The order is that of `sources`, then that of the text.
    """
    sentences: dict[str, Sentence] = {}
    for source in sources:
        for sentence in _find_in(source, answers, threshold=threshold, max_tokens=max_tokens):
            wording = " ".join(sentence.text.split())
            first = sentences.setdefault(wording, sentence)
            if first is not sentence:
                sentences[wording] = replace(
                    first,
                    matches=_best_f1(dict(first.matches), dict(sentence.matches)),
                    citations=tuple(sorted({*first.citations, *sentence.citations})),
                )
    return list(sentences.values())


def keep_similar(
    sentences: Iterable[Sentence], similarity: Mapping[tuple[str, str], float], *, threshold: float
) -> list[Sentence]:
    """Return the sentences with a similarity strictly over `threshold` to any answer, or quoted.

    `similarity` has, for (text of a sentence, key of an answer), the SAS of the two, for all
    answers of the turn and not only those that the sentence was found for. The highest becomes the
    sentence's `sas`. A sentence without any raises KeyError. The threshold belongs to the scorer
    that computed the similarities.
    """
    highest: dict[str, float] = {}
    for (text, _), value in similarity.items():
        highest[text] = max(value, highest.get(text, value))
    return [
        replace(sentence, sas=highest[sentence.text])
        for sentence in sentences
        if highest[sentence.text] > threshold or sentence.citations
    ]


def cap(sentences: Iterable[Sentence], max_words: int = 200) -> list[Sentence]:
    """Return the most relevant sentences that together have at most `max_words` words.

    They are taken by SAS, then by best F1, then in the given order; a sentence that no longer fits
    is skipped for shorter ones. Quoted sentences come first until half of the words are theirs, so
    that a run's quotes are shown and leave room for other sentences. The result keeps the given
    order. If even the most relevant one is longer than the cap it is shown alone: evidence is never
    empty because of the cap.

    The default is the reading of the minute that the shared task paid for: silent reading of
    English is 238 words a minute (Brysbaert 2019), of which question and answer take about 40.
    """
    in_order = list(sentences)
    lengths = [n_words(sentence.text) for sentence in in_order]
    ranked = sorted(
        range(len(in_order)), key=lambda index: _relevance(in_order[index]), reverse=True
    )
    quoted = [index for index in ranked if in_order[index].citations]
    selected: set[int] = set()
    left = max_words
    for index in quoted:
        if lengths[index] <= left and 2 * left > max_words:
            selected.add(index)
            left -= lengths[index]
    for index in ranked:
        if index not in selected and (lengths[index] <= left or not selected):
            selected.add(index)
            left -= lengths[index]
    return [sentence for index, sentence in enumerate(in_order) if index in selected]


def _relevance(sentence: Sentence) -> tuple[float, float]:
    nearest = max((f1 for _, f1 in sentence.matches), default=0.0)
    return (-math.inf if sentence.sas is None else sentence.sas, nearest)


class _Piece:
    """The reasons why a piece of a passage is evidence: answers with their F1, and quotes."""

    __slots__ = ("citations", "matches")

    def __init__(self) -> None:
        self.matches: dict[str, float] = {}
        self.citations: set[int] = set()

    def add(self, other: "_Piece") -> None:
        self.matches = dict(_best_f1(self.matches, other.matches))
        self.citations |= other.citations


def _find_in(
    source: Source, answers: Mapping[str, str], *, threshold: float, max_tokens: int
) -> Iterator[Sentence]:
    passage, split = prepare_passage(source.text), sentences(source.text)
    found: dict[tuple[int, int], _Piece] = {}

    def add(start: int, end: int, key: str, f1: float, citations: Iterable[int] = ()) -> None:
        for place in sentence_ranges(source.text, split, start, end, max_tokens=max_tokens):
            piece = found.setdefault(place, _Piece())
            piece.matches[key] = max(f1, piece.matches.get(key, f1))
            piece.citations.update(citations)

    for key, answer in answers.items():
        span = best_span_in(passage, answer)
        if span is not None and span.f1 > threshold:
            add(span.start, span.end, key, span.f1)
    for quote in source.quotes:
        f1 = window_f1(source.text[quote.start : quote.end], answers[quote.answer])
        add(quote.start, quote.end, quote.answer, f1, [quote.citation])
    for (start, end), piece in _merge_overlapping(found):
        yield Sentence(
            source.docid,
            start,
            end,
            source.text[start:end],
            _best_f1(piece.matches),
            citations=tuple(sorted(piece.citations)),
        )


def _merge_overlapping(
    pieces: dict[tuple[int, int], _Piece],
) -> list[tuple[tuple[int, int], _Piece]]:
    """Return the pieces in order, overlapping ones merged."""
    merged: list[tuple[tuple[int, int], _Piece]] = []
    for start, end in sorted(pieces):
        piece = pieces[start, end]
        if merged and start < merged[-1][0][1]:
            (first, last), earlier = merged[-1]
            earlier.add(piece)
            merged[-1] = ((first, max(last, end)), earlier)
        else:
            merged.append(((start, end), piece))
    return merged


def _best_f1(*matches: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Return the highest F1 of each answer, sorted by key."""
    highest: dict[str, float] = {}
    for f1_by_answer in matches:
        for key, f1 in f1_by_answer.items():
            highest[key] = max(f1, highest.get(key, f1))
    return tuple(sorted(highest.items()))
