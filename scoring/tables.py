"""Answers with their texts and references, and the scores they have."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from corpus.models import Answer, Dataset
from scoring.keys import references_sha256, stripped, text_sha256
from scoring.models import ImportedScore, Score, Scorer


@dataclass(frozen=True)
class Pair:
    """An answer and what it is compared with. Texts are without outer white space."""

    answer_id: int
    prediction: str
    references: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str]:
        return references_sha256(self.references), text_sha256(self.prediction)


def references(dataset: Dataset) -> dict[int, tuple[str, ...]]:
    """The references of each turn that has any, in one order everywhere."""
    found: dict[int, set[str]] = defaultdict(set)
    for turn_id, text in Answer.objects.references(dataset).values_list("turn_id", "text"):
        if stripped(text):
            found[turn_id].add(stripped(text))
    return {turn_id: tuple(sorted(texts)) for turn_id, texts in found.items()}


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


def values(dataset: Dataset, scorer: Scorer) -> dict[int, float]:
    """The scorer's value of each answer that has one."""
    if scorer.study_id is not None:
        imported = ImportedScore.objects.filter(scorer=scorer, answer__run__dataset=dataset)
        return dict(imported.values_list("answer_id", "value"))
    stored = Score.objects.filter(scorer=scorer)
    by_key = {
        (references_hash, prediction_hash): value
        for references_hash, prediction_hash, value in stored.values_list(
            "references_sha256", "prediction_sha256", "value"
        )
    }
    return {pair.answer_id: by_key[pair.key] for pair in pairs(dataset) if pair.key in by_key}
