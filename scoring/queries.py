"""Answers with their texts and references, and the scores they have."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from django.db.models import Exists, OuterRef

from corpus.models import Answer, AnswerQuerySet, Citation, Dataset, Turn, TurnQuerySet
from scoring import retrieval
from scoring.models import ImportedScore, Relevance, Score, Scorer
from scoring.registry import MEASURES, Inputs
from scoring.text_hashes import references_sha256, stripped, text_sha256

# How many answers a page reads while somebody waits for it; more are for a job.
MOST_AT_ONCE = 50_000
# What a query names one by one: databases have a limit.
MOST_NAMED = 5_000
# How many answers are held at once where what they are compared with is their own.
AT_ONCE = 500


@dataclass(frozen=True)
class Pair:
    """What of an answer is measured, and what it is compared with. Texts are without outer white space."""

    answer_id: int
    prediction: str
    references: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str]:
        return references_sha256(self.references), text_sha256(self.prediction)


def references(
    dataset: Dataset, turns: Collection[int] | None = None
) -> dict[int, tuple[str, ...]]:
    """The references of each turn that has any, in one order everywhere; of all turns or those named."""
    answers = _on(turns, Answer.objects.references(dataset))
    found: dict[int, set[str]] = defaultdict(set)
    for turn_id, text in answers.values_list("turn_id", "text"):
        if stripped(text):
            found[turn_id].add(stripped(text))
    return {turn_id: tuple(sorted(texts)) for turn_id, texts in found.items()}


def _on(turns: Collection[int] | None, answers: AnswerQuerySet) -> AnswerQuerySet:
    return answers if turns is None else answers.filter(turn__in=turns)


def pairs(
    dataset: Dataset,
    answer_ids: Iterable[int] | None = None,
    inputs: Inputs = Inputs.REFERENCES,
) -> list[Pair]:
    """Every answer of a system or baseline that can be measured so, or the ones named."""
    if answer_ids is None:
        return list(each_pair(dataset, inputs))
    answers = Answer.objects.of_systems(dataset).filter(pk__in=list(answer_ids))
    turns = set(answers.values_list("turn_id", flat=True))
    return list(_pairs_of(dataset, inputs, answers, turns))


def each_pair(
    dataset: Dataset,
    inputs: Inputs,
    turns: Collection[int] | None = None,
    *,
    derived: bool = False,
) -> Iterator[Pair]:
    """The same one by one, on all turns or those named: a million answers need no memory for their texts.

    With `derived`, rankings count also where relevance had to be derived.
    """
    answers = _on(turns, Answer.objects.of_systems(dataset))
    return _pairs_of(dataset, inputs, answers, turns, derived=derived)


# An answer's key, its turn's key, its text and its rewrite.
_Row = tuple[int, int, str, str]
_Rows = Iterable[_Row]


def _pairs_of(
    dataset: Dataset,
    inputs: Inputs,
    answers: AnswerQuerySet,
    turns: Collection[int] | None,
    *,
    derived: bool = False,
) -> Iterator[Pair]:
    rows = answers.order_by("pk").values_list("pk", "turn_id", "text", "rewrite").iterator()
    if inputs is Inputs.RETRIEVAL:
        return rankings(rows, relevant(dataset, turns, derived=derived))
    return _PAIRS[inputs](dataset, turns, rows)


def _with_references(
    dataset: Dataset, turns: Collection[int] | None, rows: _Rows
) -> Iterator[Pair]:
    expected = references(dataset, turns)
    for pk, turn_id, text, _ in rows:
        if turn_id in expected:
            yield Pair(pk, stripped(text), expected[turn_id])


def _alone(dataset: Dataset, turns: Collection[int] | None, rows: _Rows) -> Iterator[Pair]:
    return (Pair(pk, stripped(text), ()) for pk, _, text, _ in rows)


def _of_rewrites(dataset: Dataset, turns: Collection[int] | None, rows: _Rows) -> Iterator[Pair]:
    expected = dict(_turns(dataset, turns).values_list("pk", "rewrite"))
    for pk, turn_id, _, rewrite in rows:
        if stripped(rewrite) and stripped(expected[turn_id]):
            yield Pair(pk, stripped(rewrite), (stripped(expected[turn_id]),))


def _with_passages(dataset: Dataset, turns: Collection[int] | None, rows: _Rows) -> Iterator[Pair]:
    """Answers that say something and cite passages of which the text is known.

    They are compared with the data set's digest and the passages' ids, which say as much as the texts
    and are read many times faster; `passage_texts` has the texts.
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


def rankings(rows: _Rows, relevant: Mapping[int, tuple[str, ...]]) -> Iterator[Pair]:
    """Rankings on the turns that have relevant passages."""
    for part in _parts(row for row in rows if row[1] in relevant):
        found = Citation.objects.filter(answer__in=[pk for pk, *_ in part])
        scores: dict[int, dict[str, float]] = defaultdict(dict)
        for answer_id, docid, score in found.values_list("answer_id", "passage__docid", "score"):
            if score is not None:
                scores[answer_id][docid] = score
        for pk, turn_id, _, _ in part:
            if scores[pk]:
                ranking = retrieval.written(retrieval.ranked(scores[pk]))
                yield Pair(pk, ranking, relevant[turn_id])


def relevant(
    dataset: Dataset, turns: Collection[int] | None = None, *, derived: bool = False
) -> dict[int, tuple[str, ...]]:
    """The relevant passages of each turn that has any: those that the truth names, else those derived."""
    named = _turns(dataset, turns).values_list("pk", "truth_passages")
    found = {pk: tuple(sorted(set(docids))) for pk, docids in named if docids}
    if derived:
        rows = Relevance.objects.filter(turn__in=_turns(dataset, turns))
        derivations = rows.values_list("turn_id", "docids")
        found = {pk: tuple(docids) for pk, docids in derivations if docids} | found
    return found


_PAIRS: dict[Inputs, Callable[[Dataset, Collection[int] | None, _Rows], Iterator[Pair]]] = {
    Inputs.REFERENCES: _with_references,
    Inputs.ALONE: _alone,
    Inputs.REWRITE: _of_rewrites,
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
    """The texts of the passages that each of these answers cites."""
    docids = sorted({docid for pair in pairs for docid in pair.references[1:]})
    texts: dict[str, str] = {}
    for start in range(0, len(docids), MOST_NAMED):
        found = dataset.passages.filter(docid__in=docids[start : start + MOST_NAMED])
        texts |= {docid: text or "" for docid, text in found.values_list("docid", "text")}
    return {pair.answer_id: [texts[docid] for docid in pair.references[1:]] for pair in pairs}


def inputs_of(metric: str) -> Inputs:
    """What a metric looks at; what is not computed here, or by a model, looks at references."""
    return MEASURES[metric].inputs if metric in MEASURES else Inputs.REFERENCES


def computed_keys(scorer: Scorer) -> set[tuple[str, str]]:
    stored = Score.objects.filter(scorer=scorer)
    return set(stored.values_list("references_sha256", "prediction_sha256"))


def can_be_scored(text: str, metric: str) -> bool:
    """An empty answer has no meaning to compare; its overlap is defined."""
    return bool(text) or metric in MEASURES


def values(
    dataset: Dataset, scorer: Scorer, turns: Collection[int] | None = None
) -> dict[int, float]:
    """The scorer's value of each answer that has one; on all turns or those named."""
    if scorer.study_id is not None:
        return _imported(scorer, _on(turns, Answer.objects.of_systems(dataset)))
    found = scored(dataset, scorer, turns)
    return {pk: value for pk, value in found.items() if value is not None}


def scored(
    dataset: Dataset, scorer: Scorer, turns: Collection[int] | None = None
) -> dict[int, float | None]:
    """The scorer's value of each answer that it can measure, None where it has not yet.

    Imported scores can be of any answer that says something.
    """
    answers = _on(turns, Answer.objects.of_systems(dataset))
    if scorer.study_id is not None:
        given = _imported(scorer, answers)
        said = answers.values_list("pk", "text").iterator()
        return {pk: given.get(pk) for pk, text in said if pk in given or stripped(text)}
    inputs = inputs_of(scorer.metric)
    if inputs is not Inputs.REFERENCES:
        return _scored(scorer, each_pair(dataset, inputs, turns, derived=scorer.derives_relevance))
    # One hash a turn: there are many answers to each.
    hashes = {
        turn_id: references_sha256(texts) for turn_id, texts in references(dataset, turns).items()
    }
    stored = Score.objects.filter(scorer=scorer)
    if turns is not None:
        stored = stored.filter(references_sha256__in=set(hashes.values()))
    rows = stored.values_list("references_sha256", "prediction_sha256", "value")
    by_key = {(expected, said): value for expected, said, value in rows.iterator()}
    texts = answers.values_list("pk", "turn_id", "text").iterator()
    return {
        pk: by_key.get((hashes[turn_id], text_sha256(text)))
        for pk, turn_id, text in texts
        if turn_id in hashes and can_be_scored(stripped(text), scorer.metric)
    }


def values_of(scorer: Scorer, given: Iterable[Pair]) -> dict[int, float]:
    """The computed value of each of these that has one."""
    found = _scored(scorer, given)
    return {pk: value for pk, value in found.items() if value is not None}


def _imported(scorer: Scorer, answers: AnswerQuerySet) -> dict[int, float]:
    rows = ImportedScore.objects.filter(scorer=scorer, answer__in=answers)
    return dict(rows.values_list("answer_id", "value"))


def _scored(scorer: Scorer, given: Iterable[Pair]) -> dict[int, float | None]:
    """The computed value of each of these, None where there is none."""
    stored = Score.objects.filter(scorer=scorer)
    found: dict[int, float | None] = {}
    left = iter(given)
    while keys := {pair.answer_id: pair.key for pair in islice(left, AT_ONCE)}:
        expected, said = (set(hashes) for hashes in zip(*keys.values(), strict=True))
        rows = stored.filter(references_sha256__in=expected)
        if len(expected) == 1:  # as where there is nothing to compare with
            rows = rows.filter(prediction_sha256__in=said)
        numbers = rows.values_list("references_sha256", "prediction_sha256", "value")
        by_key = {(one, other): value for one, other, value in numbers}
        found |= {pk: by_key.get(key) for pk, key in keys.items()}
    return found


def scorers(dataset: Dataset, metric: str | None = None) -> list[Scorer]:
    """Those that have scores of this data set: imported for its answers, or computed from its texts."""
    own = ImportedScore.objects.filter(scorer=OuterRef("pk"), answer__run__dataset=dataset)
    imported = Scorer.objects.filter(Exists(own), study_id=dataset.study_id)
    known = Scorer.objects.filter(study=None)
    if metric is not None:
        imported, known = imported.filter(metric=metric), known.filter(metric=metric)
    hashes = sorted({references_sha256(texts) for texts in references(dataset).values()})
    computed = [scorer for scorer in known if _knows_any(scorer, dataset, hashes)]
    return sorted([*imported, *computed], key=lambda each: (each.metric, each.name, each.pk))


def _knows_any(scorer: Scorer, dataset: Dataset, hashes: Sequence[str]) -> bool:
    """Whether it has scored anything of the data set; `hashes` are of its sets of references."""
    inputs = inputs_of(scorer.metric)
    if inputs is not Inputs.REFERENCES:
        pairs = each_pair(dataset, inputs, derived=scorer.derives_relevance)
        return bool(values_of(scorer, islice(pairs, AT_ONCE)))
    parts = (hashes[i : i + MOST_NAMED] for i in range(0, len(hashes), MOST_NAMED))
    return any(
        Score.objects.filter(scorer=scorer, references_sha256__in=part).exists() for part in parts
    )


def n_scores(scorer: Scorer) -> int:
    """All that it has anywhere. Scores are only ever added: another number is another state."""
    own = scorer.scores if scorer.study_id is None else scorer.imported_scores
    return own.count()
