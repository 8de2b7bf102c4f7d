"""Answers with the texts that they are measured against: references, rewrites, passages, rankings."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

from corpus.models import (
    Answer,
    AnswerQuerySet,
    Citation,
    Dataset,
    References,
    Turn,
    TurnQuerySet,
)
from scoring import retrieval
from scoring.models import Relevance
from scoring.registry import MEASURES, Inputs
from scoring.text_hashes import references_sha256, stripped, stripped_sha256

T = TypeVar("T")
# How many answers a page reads while somebody waits for it; more are for a job.
MOST_ANSWERS_AT_ONCE = 50_000
# What a query names one by one: databases have a limit.
MOST_KEYS_PER_QUERY = 5_000
# How many answers are held at once where what they are compared with is their own.
AT_ONCE = 500


class Pair(NamedTuple):
    """An answer's text to measure, and the texts to compare it with, without outer white space.

    `references_hash` is the hash of `references`, if it is known already, and `turn_id` the key of
    the turn that the references are of.
    """

    answer_id: int
    prediction: str
    references: tuple[str, ...]
    references_hash: str = ""
    turn_id: int = 0

    @property
    def key(self) -> tuple[str, str]:
        references = self.references_hash or references_sha256(self.references)
        return references, stripped_sha256(self.prediction)


def key_slices(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield the values in slices of as many as a query names one by one."""
    for start in range(0, len(values), MOST_KEYS_PER_QUERY):
        yield values[start : start + MOST_KEYS_PER_QUERY]


def references(
    dataset: Dataset,
    turns: Collection[int] | None = None,
    chosen: References = References.TRUTH,
) -> dict[int, tuple[str, ...]]:
    """Return the chosen references of all turns or of `turns`, in a fixed order.

    Turns without a reference of the truth are left out.
    """
    if turns is not None and len(turns) > MOST_KEYS_PER_QUERY:
        every = references(dataset, None, chosen)
        return {turn: every[turn] for turn in turns if turn in every}
    answers = answers_on_turns(turns, Answer.objects.references(dataset, chosen))
    by_turn: dict[int, set[str]] = defaultdict(set)
    for turn_id, text in answers.values_list("turn_id", "text"):
        if stripped(text):
            by_turn[turn_id].add(stripped(text))
    return {turn_id: tuple(sorted(texts)) for turn_id, texts in by_turn.items()}


def choices_of(dataset: Dataset) -> list[References]:
    """Return the references that answers to the data set can be measured against."""
    return list(References) if dataset.release else [References.TRUTH]


def answers_on_turns(turns: Collection[int] | None, answers: AnswerQuerySet) -> AnswerQuerySet:
    return answers if turns is None else answers.filter(turn__in=turns)


def pairs(
    dataset: Dataset,
    answer_ids: Iterable[int] | None = None,
    inputs: Inputs = Inputs.REFERENCES,
    on_turns: Collection[int] | None = None,
    chosen: References = References.TRUTH,
) -> list[Pair]:
    """Return the measurable answers of systems and baselines, or those of `answer_ids`.

    `on_turns` are the turns of `answer_ids`, if they are known and have few other answers: they are
    found by them in a quarter of the time.
    """
    if answer_ids is None:
        return list(iter_pairs(dataset, inputs, chosen=chosen))
    if on_turns is not None:
        wanted = set(answer_ids)
        of_turns = Answer.objects.of_systems(dataset).filter(turn__in=on_turns)
        selected = [row for row in _rows_of(of_turns) if row[0] in wanted]
        return list(_pairs_of(dataset, inputs, selected, on_turns, chosen=chosen))
    answers = Answer.objects.of_systems(dataset).filter(pk__in=list(answer_ids))
    # Their turns are taken from the rows: a query for the turns alone would scan the whole index.
    rows = list(_rows_of(answers))
    turns = {turn_id for _, turn_id, _, _ in rows}
    return list(_pairs_of(dataset, inputs, rows, turns, chosen=chosen))


def iter_pairs(
    dataset: Dataset,
    inputs: Inputs,
    turns: Collection[int] | None = None,
    *,
    derived: bool = False,
    chosen: References = References.TRUTH,
) -> Iterator[Pair]:
    """Yield `pairs` for all turns or for `turns` one by one, so that many texts need no memory.

    With `derived` it includes rankings on turns with derived relevance.
    """
    answers = answers_on_turns(turns, Answer.objects.of_systems(dataset))
    return _pairs_of(dataset, inputs, _rows_of(answers), turns, derived=derived, chosen=chosen)


# An answer's key, its turn's key, its text and its rewrite.
_Row = tuple[int, int, str, str]
_Rows = Iterable[_Row]


def _rows_of(answers: AnswerQuerySet) -> Iterator[_Row]:
    return answers.order_by("pk").values_list("pk", "turn_id", "text", "rewrite").iterator()


def _pairs_of(
    dataset: Dataset,
    inputs: Inputs,
    rows: _Rows,
    turns: Collection[int] | None,
    *,
    derived: bool = False,
    chosen: References = References.TRUTH,
) -> Iterator[Pair]:
    if inputs is Inputs.RETRIEVAL:
        return ranking_pairs(rows, relevant_docids(dataset, turns, derived=derived))
    if inputs is Inputs.REFERENCES:
        return _with_references(references(dataset, turns, chosen), rows)
    return _PAIRS[inputs](dataset, turns, rows)


def _with_references(expected: Mapping[int, tuple[str, ...]], rows: _Rows) -> Iterator[Pair]:
    # One hash a turn: there are many answers to each.
    hashes = {turn_id: references_sha256(texts) for turn_id, texts in expected.items()}
    for pk, turn_id, text, _ in rows:
        if turn_id in expected:
            yield Pair(pk, stripped(text), expected[turn_id], hashes[turn_id], turn_id)


def _without_references(
    dataset: Dataset, turns: Collection[int] | None, rows: _Rows
) -> Iterator[Pair]:
    return (Pair(pk, stripped(text), ()) for pk, _, text, _ in rows)


def _with_truth_rewrites(
    dataset: Dataset, turns: Collection[int] | None, rows: _Rows
) -> Iterator[Pair]:
    expected = dict(_turns(dataset, turns).values_list("pk", "rewrite"))
    for pk, turn_id, _, rewrite in rows:
        if stripped(rewrite) and stripped(expected[turn_id]):
            yield Pair(pk, stripped(rewrite), (stripped(expected[turn_id]),))


def _with_passages(dataset: Dataset, turns: Collection[int] | None, rows: _Rows) -> Iterator[Pair]:
    """Yield pairs of the answers that are not empty and cite passages with text.

    Their `references` are the data set's digest and the passages' ids, which identify the texts and
    are read many times faster; `passage_texts` has the texts.
    """
    for part in _parts(rows):
        cited = Citation.objects.filter(
            answer__in=[pk for pk, *_ in part], passage__text__isnull=False
        )
        docids: dict[int, list[str]] = defaultdict(list)
        for answer_id, docid in cited.values_list("answer_id", "passage__docid"):
            docids[answer_id].append(docid)
        for pk, _, text, _ in part:
            if stripped(text) and docids[pk]:
                yield Pair(pk, stripped(text), (dataset.digest, *sorted(docids[pk])))


def ranking_pairs(rows: _Rows, relevant: Mapping[int, tuple[str, ...]]) -> Iterator[Pair]:
    """Yield rankings on the turns that have relevant passages."""
    for part in _parts(row for row in rows if row[1] in relevant):
        citations = Citation.objects.filter(answer__in=[pk for pk, *_ in part])
        scores: dict[int, dict[str, float]] = defaultdict(dict)
        for answer_id, docid, score in citations.values_list(
            "answer_id", "passage__docid", "score"
        ):
            if score is not None:
                scores[answer_id][docid] = score
        for pk, turn_id, _, _ in part:
            if scores[pk]:
                ranking = retrieval.text_of_ranking(retrieval.ranked_ids(scores[pk]))
                yield Pair(pk, ranking, relevant[turn_id])


def relevant_docids(
    dataset: Dataset, turns: Collection[int] | None = None, *, derived: bool = False
) -> dict[int, tuple[str, ...]]:
    """Return the relevant passages by turn: those of the truth, else those derived.

    Without `derived` only those of the truth.
    """
    named = _turns(dataset, turns).values_list("pk", "truth_passages")
    by_turn = {pk: tuple(sorted(set(docids))) for pk, docids in named if docids}
    if derived:
        rows = Relevance.objects.filter(turn__in=_turns(dataset, turns))
        derivations = rows.values_list("turn_id", "docids")
        by_turn = {pk: tuple(docids) for pk, docids in derivations if docids} | by_turn
    return by_turn


_PAIRS: dict[Inputs, Callable[[Dataset, Collection[int] | None, _Rows], Iterator[Pair]]] = {
    Inputs.ALONE: _without_references,
    Inputs.REWRITE: _with_truth_rewrites,
    Inputs.PASSAGES: _with_passages,
}


def _turns(dataset: Dataset, turns: Collection[int] | None) -> TurnQuerySet:
    every = Turn.objects.filter(conversation__dataset=dataset)
    return every if turns is None else every.filter(pk__in=turns)


def _parts(rows: _Rows) -> Iterator[list[_Row]]:
    left = iter(rows)
    while part := list(islice(left, AT_ONCE)):
        yield part


def passage_texts(dataset: Dataset, pairs: Collection[Pair]) -> dict[int, list[str]]:
    """Return the texts of the passages that each answer cites."""
    docids = sorted({docid for pair in pairs for docid in pair.references[1:]})
    texts: dict[str, str] = {}
    for some in key_slices(docids):
        passages = dataset.passages.filter(docid__in=some)
        texts |= {docid: text or "" for docid, text in passages.values_list("docid", "text")}
    return {pair.answer_id: [texts[docid] for docid in pair.references[1:]] for pair in pairs}


def inputs_of(metric: str) -> Inputs:
    """The inputs of a metric; a model's or an imported one is compared with references."""
    return MEASURES[metric].inputs if metric in MEASURES else Inputs.REFERENCES


def can_be_scored(text: str, metric: str) -> bool:
    """Return whether the metric defines a value: an empty answer has no meaning, but an overlap."""
    return bool(text) or metric in MEASURES
