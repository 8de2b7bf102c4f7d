"""The screens of a batch: what each candidate's item will show, and where it came from."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation import payloads
from annotation.models import Batch, ItemAnswer
from annotation.schemes import ChoiceScheme
from corpus.models import Turn
from sampling.models import Candidate, EvidenceSpan


@dataclass(frozen=True)
class Screen:
    payload: dict[str, Any]
    came_from: int | None


def of(*, batch: Batch, scheme: ChoiceScheme, candidates: Sequence[Candidate]) -> list[Screen]:
    """One screen for each candidate, in their order."""
    context = _earlier_questions(batch) if batch.shows_context else {}
    evidence = _evidence(batch) if scheme.shows_evidence else None
    came_from = _plausibility_items(batch)
    return [
        Screen(
            payload=payloads.payload(
                question=candidate.turn.standalone,
                context=context.get(candidate.turn_id, []),
                answers=[candidate.text],
                evidence=None if evidence is None else evidence.get(candidate.turn_id, []),
            ),
            came_from=came_from.get(candidate.source_id),
        )
        for candidate in candidates
    ]


def _earlier_questions(batch: Batch) -> dict[int, list[str]]:
    """Questions asked before each turn of its conversation; never the answers."""
    earlier: dict[int, list[str]] = {}
    asked: dict[int, list[str]] = defaultdict(list)
    for turn in Turn.objects.of(batch.pool.dataset):
        so_far = asked[turn.conversation_id]
        earlier[turn.pk] = list(so_far)
        so_far += turn.wordings[:1]
    return earlier


def _evidence(batch: Batch) -> dict[int, list[str]]:
    spans = EvidenceSpan.objects.filter(pool=batch.pool).select_related("passage")
    texts: dict[int, list[str]] = defaultdict(list)
    for span in spans.order_by("turn_id", "position"):
        texts[span.turn_id].append((span.passage.text or "")[span.start : span.end])
    return texts


def _plausibility_items(batch: Batch) -> dict[int | None, int]:
    """The item each source candidate was judged in, in the batch that the pool was drawn from."""
    source_batch = batch.pool.rule.get("batch")
    if source_batch is None:
        return {}
    judged = ItemAnswer.objects.filter(
        item__batch__study=batch.study, item__batch__name=source_batch
    )
    return dict(judged.values_list("candidate_id", "item_id"))
