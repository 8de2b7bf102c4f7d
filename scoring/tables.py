"""Answers with their texts and references, and the scores they have."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from django.db.models import Exists, OuterRef

from corpus.models import Answer, AnswerQuerySet, Dataset
from scoring.keys import references_sha256, stripped, text_sha256
from scoring.models import ImportedScore, Score, Scorer

# How many answers a page reads while somebody waits for it; more are for a job.
MOST_AT_ONCE = 50_000
# What a query names one by one: databases have a limit.
MOST_NAMED = 5_000


@dataclass(frozen=True)
class Pair:
    """An answer and what it is compared with. Texts are without outer white space."""

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


def pairs(dataset: Dataset, answer_ids: Iterable[int] | None = None) -> list[Pair]:
    """Every answer of a system or baseline on a turn with a reference, or the ones named."""
    answers = Answer.objects.of_systems(dataset)
    if answer_ids is not None:
        answers = answers.filter(pk__in=list(answer_ids))
    expected = references(dataset)
    return [
        Pair(pk, stripped(text), expected[turn_id])
        for pk, turn_id, text in answers.order_by("pk").values_list("pk", "turn_id", "text")
        if turn_id in expected
    ]


def computed_keys(scorer: Scorer) -> set[tuple[str, str]]:
    stored = Score.objects.filter(scorer=scorer)
    return set(stored.values_list("references_sha256", "prediction_sha256"))


def values(
    dataset: Dataset, scorer: Scorer, turns: Collection[int] | None = None
) -> dict[int, float]:
    """The scorer's value of each answer that has one; on all turns or those named."""
    answers = _on(turns, Answer.objects.of_systems(dataset))
    if scorer.study_id is not None:
        imported = ImportedScore.objects.filter(scorer=scorer, answer__in=answers)
        return dict(imported.values_list("answer_id", "value"))
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
    keys = ((pk, (hashes.get(turn_id), text_sha256(text))) for pk, turn_id, text in texts)
    return {pk: by_key[key] for pk, key in keys if key in by_key}


def scorers(dataset: Dataset, metric: str | None = None) -> list[Scorer]:
    """Those that have scores of this data set: imported for its answers, or computed from its texts."""
    own = ImportedScore.objects.filter(scorer=OuterRef("pk"), answer__run__dataset=dataset)
    imported = Scorer.objects.filter(Exists(own), study_id=dataset.study_id)
    known = Scorer.objects.filter(study=None)
    if metric is not None:
        imported, known = imported.filter(metric=metric), known.filter(metric=metric)
    hashes = sorted({references_sha256(texts) for texts in references(dataset).values()})
    computed = [scorer for scorer in known if _knows_any(scorer, hashes)]
    return sorted([*imported, *computed], key=lambda each: (each.metric, each.name, each.pk))


def _knows_any(scorer: Scorer, hashes: Sequence[str]) -> bool:
    """Whether it has scored anything against one of these sets of references."""
    parts = (hashes[i : i + MOST_NAMED] for i in range(0, len(hashes), MOST_NAMED))
    return any(
        Score.objects.filter(scorer=scorer, references_sha256__in=part).exists() for part in parts
    )


def totals(
    dataset: Dataset, scorer: Scorer, turns: Collection[int] | None = None
) -> dict[int, tuple[int, float]]:
    """How many answers of each run have a value, and the sum of them; on all turns or those named."""
    found: dict[int, list[float]] = defaultdict(list)
    given = values(dataset, scorer, turns)
    answers = _on(turns, Answer.objects.of_systems(dataset))
    for pk, run_id in answers.values_list("pk", "run_id"):
        if pk in given:
            found[run_id].append(given[pk])
    # Exactly rounded: the order in which rows come changes no digit.
    return {run_id: (len(numbers), fsum(numbers)) for run_id, numbers in found.items()}


def n_scores(scorer: Scorer) -> int:
    """All that it has anywhere. Scores are only ever added: another number is another state."""
    own = scorer.scores if scorer.study_id is None else scorer.imported_scores
    return own.count()
