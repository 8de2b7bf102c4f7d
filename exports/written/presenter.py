"""Written answers and their figures as pages show them. Imports no Django."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from exports.written.answers import WrittenAnswer, in_words
from text import beside
from text.beside import Line

Figure = Mapping[str, Any]

# The figures of agreement by name, and what each is about.
MEASURES = {
    "rouge_l": ("ROUGE-L F1", "mean over the pairs, both ways round; no stemming"),
    "rouge_l_stemmed": ("ROUGE-L F1, stemmed", "the same of Porter's stems"),
    "alpha": ("Krippendorff's alpha on sentences", "nominal: needed or not, each sentence a unit"),
    "raw": ("Raw agreement on sentences", "the share of sentences of which both say the same"),
    "sentence_f1": ("F1 of the ticked sentences", "mean over the pairs; the title does not count"),
}


@dataclass(frozen=True)
class MeasureRow:
    """A measure with its figures, in the order of the table's columns."""

    name: str
    estimand: str
    figures: list[Figure]


def measure_rows(*parts: Mapping[str, Figure]) -> list[MeasureRow]:
    """A row a measure, with its figure of each part."""
    return [
        MeasureRow(name, estimand, [part[key] for part in parts])
        for key, (name, estimand) in MEASURES.items()
    ]


@dataclass(frozen=True)
class Side:
    """One of two answers: its text with what the other has not, and what only it ticks."""

    answer: WrittenAnswer
    lines: list[Line]
    only: list[int]

    @property
    def only_in_words(self) -> str:
        return in_words(self.only)


@dataclass(frozen=True)
class PairShown:
    """Two answers to one question side by side. `rouge_l` is None where ROUGE cannot read a text."""

    first: Side
    second: Side
    both: list[int]
    rouge_l: float | None
    sentence_f1: float

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.first, self.second

    @property
    def both_in_words(self) -> str:
        return in_words(self.both)


def pair_shown(one: WrittenAnswer, other: WrittenAnswer, figures: Mapping[str, Any]) -> PairShown:
    before, after = beside.marked(one.answer, other.answer)
    ours, theirs = set(one.sentences), set(other.sentences)
    return PairShown(
        Side(one, before, sorted(ours - theirs)),
        Side(other, after, sorted(theirs - ours)),
        sorted(ours & theirs),
        figures["rouge_l"],
        figures["sentence_f1"],
    )


def people_rows(section: Mapping[str, Any]) -> Iterator[tuple[str, Figure, Figure]]:
    """The people of a batch that several people wrote the same questions of, least alike first."""
    people = sorted(section["people"], key=lambda each: each["rouge_l"]["value"] or 0.0)
    for each in people:
        yield each["annotator"], each["rouge_l"], each["sentence_f1"]
