"""Scores of answers: the values of a scorer, and the scorers that have any."""

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import NamedTuple, Self

from django.db.models import Exists, OuterRef

from corpus import versions
from corpus.models import Answer, Dataset, References, Turn
from scoring import queries
from scoring.models import ImportedScore, Score, Scorer
from scoring.registry import Inputs
from scoring.text_hashes import references_sha256, stripped, text_sha256

HASHES_AT_ONCE = 1_000


def computed_keys(scorer: Scorer) -> set[tuple[str, str]]:
    stored = Score.objects.filter(scorer=scorer)
    return set(stored.values_list("references_sha256", "prediction_sha256"))


def values(
    dataset: Dataset, scorer: Scorer, turns: Collection[int] | None = None
) -> dict[int, float]:
    """The scorer's value of each answer that has one; for all turns or for `turns`."""
    if scorer.study_id is not None:
        return _imported_values(dataset, scorer, turns)
    by_answer = measurable_values(dataset, scorer, turns)
    return {pk: value for pk, value in by_answer.items() if value is not None}


def measurable_values(
    dataset: Dataset, scorer: Scorer, turns: Collection[int] | None = None
) -> dict[int, float | None]:
    """The scorer's value of each answer that it can measure; None if it has none yet.

    An imported scorer can measure every answer that is not empty.
    """
    answers = queries.answers_on_turns(turns, Answer.objects.of_systems(dataset))
    if scorer.study_id is not None:
        imported = _imported_values(dataset, scorer, turns)
        answer_texts = answers.values_list("pk", "text").iterator()
        return {
            pk: imported.get(pk) for pk, text in answer_texts if pk in imported or stripped(text)
        }
    inputs, chosen = queries.inputs_of(scorer.metric), References(scorer.references)
    if inputs is not Inputs.REFERENCES:
        return _values_or_none(
            scorer, queries.iter_pairs(dataset, inputs, turns, derived=scorer.derives_relevance)
        )
    # One hash a turn: there are many answers to each.
    hashes = {
        turn_id: references_sha256(texts)
        for turn_id, texts in queries.references(dataset, turns, chosen).items()
    }
    stored = Score.objects.filter(scorer=scorer)
    if turns is not None:
        stored = stored.filter(references_sha256__in=set(hashes.values()))
    rows = stored.values_list("references_sha256", "prediction_sha256", "value")
    by_key = {(references, text): value for references, text, value in rows.iterator()}
    texts = answers.values_list("pk", "turn_id", "text").iterator()
    return {
        pk: by_key.get((hashes[turn_id], text_sha256(text)))
        for pk, turn_id, text in texts
        if turn_id in hashes and queries.can_be_scored(stripped(text), scorer.metric)
    }


def values_on_turn(dataset: Dataset, turn: Turn) -> list[tuple[Scorer, dict[int, float]]]:
    """Return the scorers with a value of an answer to the turn, by measure and name, and the values by answer.

    The values of a scorer are against its own references. As many queries as there are kinds of inputs, choices of
    references and imported scorers, however many scorers are computed.
    """
    given = ImportedScore.objects.filter(
        scorer=OuterRef("pk"), answer__turn__in=versions.turns_alike(turn)
    )
    imported = Scorer.objects.filter(Exists(given), study=dataset.study_id)
    found = [(each, _imported_values(dataset, each, [turn.pk])) for each in imported]
    computed = list(Scorer.objects.filter(study=None, references__in=queries.choices_of(dataset)))
    keys = {
        kind: {pair.answer_id: pair.key for pair in kind.pairs(dataset, [turn.pk])}
        for kind in {_Compared.by(scorer) for scorer in computed}
    }
    hashes = {key for of_kind in keys.values() for key in of_kind.values()}
    rows = Score.objects.filter(
        scorer__in=computed,
        references_sha256__in={references for references, _ in hashes},
        prediction_sha256__in={prediction for _, prediction in hashes},
    )
    columns = ("scorer", "references_sha256", "prediction_sha256", "value")
    by_key = {(scorer, (one, other)): v for scorer, one, other, v in rows.values_list(*columns)}
    for scorer in computed:
        of_scorer = {
            answer: by_key[scorer.pk, key]
            for answer, key in keys[_Compared.by(scorer)].items()
            if (scorer.pk, key) in by_key
        }
        found.append((scorer, of_scorer))
    some = [each for each in found if each[1]]
    return sorted(some, key=lambda each: (each[0].metric, each[0].name, each[0].pk))


class _Compared(NamedTuple):
    """What decides which texts are compared for a scorer."""

    inputs: Inputs
    derives_relevance: bool
    references: References

    @classmethod
    def by(cls, scorer: Scorer) -> Self:
        references = References(scorer.references)
        return cls(queries.inputs_of(scorer.metric), scorer.derives_relevance, references)

    def pairs(self, dataset: Dataset, turns: Collection[int]) -> Iterator[queries.Pair]:
        return queries.iter_pairs(
            dataset, self.inputs, turns, derived=self.derives_relevance, chosen=self.references
        )


def values_of(scorer: Scorer, pairs: Iterable[queries.Pair]) -> dict[int, float]:
    """Return the computed value by answer, without pairs that have none."""
    by_answer = _values_or_none(scorer, pairs)
    return {pk: value for pk, value in by_answer.items() if value is not None}


def _imported_values(
    dataset: Dataset, scorer: Scorer, turns: Collection[int] | None
) -> dict[int, float]:
    """Return the imported value by answer: its own, else that of the same answer in the nearest version before."""
    answers = queries.answers_on_turns(turns, Answer.objects.of_systems(dataset))
    rows = ImportedScore.objects.filter(scorer=scorer, answer__in=answers)
    own = dict(rows.values_list("answer_id", "value"))
    if dataset.continues_id is None:
        return own
    counting = set(answers.values_list("pk", flat=True))
    earlier = versions.lineage_keys(dataset)[1:]
    copies = versions.own_answers(dataset, earlier, turns)
    there = ImportedScore.objects.filter(scorer=scorer, answer__run__dataset__in=earlier)
    ordered = there.order_by("answer__run__dataset__version")
    carried = {
        copies[pk]: value
        for pk, value in ordered.values_list("answer_id", "value").iterator()
        if copies.get(pk) in counting
    }
    return carried | own


def _values_or_none(scorer: Scorer, pairs: Iterable[queries.Pair]) -> dict[int, float | None]:
    """Return the computed value by answer; None if there is none."""
    stored = Score.objects.filter(scorer=scorer)
    by_answer: dict[int, float | None] = {}
    left = iter(pairs)
    while keys := {pair.answer_id: pair.key for pair in islice(left, queries.AT_ONCE)}:
        expected, predictions = (set(hashes) for hashes in zip(*keys.values(), strict=True))
        rows = stored.filter(references_sha256__in=expected)
        if len(expected) == 1:  # as where there is nothing to compare with
            rows = rows.filter(prediction_sha256__in=predictions)
        numbers = rows.values_list("references_sha256", "prediction_sha256", "value")
        by_key = {(one, other): value for one, other, value in numbers}
        by_answer |= {pk: by_key.get(key) for pk, key in keys.items()}
    return by_answer


def scorers(dataset: Dataset, metric: str | None = None) -> list[Scorer]:
    """The scorers with scores for this data set: imported for its answers, or computed from its texts."""
    imported_here = ImportedScore.objects.filter(
        versions.stands(dataset, "answer__turn"),
        scorer=OuterRef("pk"),
        answer__run__dataset__in=versions.lineage_keys(dataset),
    )
    imported = Scorer.objects.filter(Exists(imported_here), study_id=dataset.study_id)
    without_study = Scorer.objects.filter(study=None)
    if metric is not None:
        imported, without_study = (
            imported.filter(metric=metric),
            without_study.filter(metric=metric),
        )
    choices = queries.choices_of(dataset)
    hashes = {chosen.value: _ReferenceHashes(dataset, chosen) for chosen in choices}
    computed = [
        scorer
        for scorer in without_study.filter(references__in=choices)
        if _knows_any(scorer, dataset, hashes[scorer.references])
    ]
    return sorted(
        [*imported, *computed], key=lambda scorer: (scorer.metric, scorer.name, scorer.pk)
    )


class _ReferenceHashes:
    """The hashes of a data set's sets of references, HASHES_AT_ONCE in a list.

    Read and hashed when they are first asked for: the first list tells nearly always whether a scorer knows any.
    """

    def __init__(self, dataset: Dataset, chosen: References) -> None:
        self._dataset, self._chosen = dataset, chosen
        self._parts: dict[int, list[str]] = {}

    @cached_property
    def _references(self) -> list[tuple[str, ...]]:
        return list(queries.references(self._dataset, None, self._chosen).values())

    def __iter__(self) -> Iterator[list[str]]:
        for first in range(0, len(self._references), HASHES_AT_ONCE):
            if first not in self._parts:
                part = self._references[first : first + HASHES_AT_ONCE]
                self._parts[first] = sorted({references_sha256(texts) for texts in part})
            yield self._parts[first]


def _knows_any(scorer: Scorer, dataset: Dataset, hashes: _ReferenceHashes) -> bool:
    """Return whether the scorer has scored any text of the data set.

    `hashes` are those of its sets of references.
    """
    inputs = queries.inputs_of(scorer.metric)
    if inputs is not Inputs.REFERENCES:
        pairs = queries.iter_pairs(dataset, inputs, derived=scorer.derives_relevance)
        return bool(values_of(scorer, islice(pairs, queries.AT_ONCE)))
    return any(
        Score.objects.filter(scorer=scorer, references_sha256__in=part).exists() for part in hashes
    )


def n_scores(scorer: Scorer) -> int:
    """Return the number of the scorer's scores.

    They are only added, so an equal number is an equal state.
    """
    own = scorer.scores if scorer.study_id is None else scorer.imported_scores
    return own.count()
