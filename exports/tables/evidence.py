"""The evidence of a batch's items, with what of it is each answer's own."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from annotation.models import Batch
from corpus.models import Citation
from exports.tables.names import cell_json
from exports.tables.shown import Shown, credited, drawn_id
from sampling.models import EvidenceSpan, Pool, SpanMatch

# Beyond these, a model's numbers depend on what else was in the batch.
SAS_DIGITS = 6


@dataclass(frozen=True)
class Evidence:
    """What the spans of a pool are, for whom they were found and who cites their passages."""

    spans: dict[int, list[EvidenceSpan]]  # by turn, in the order shown
    f1: dict[tuple[int, int | None], float]  # by span and candidate; None: the reference
    cited_by: dict[tuple[int, int], set[str]]  # the runs, by drawn candidate and passage

    def of(self, shown: Shown) -> str:
        """The paragraph of the answer's turn as JSON; "" where there is none."""
        spans = self.spans.get(shown.candidate.turn_id)
        return cell_json([self._piece(span, shown) for span in spans]) if spans else ""

    def _piece(self, span: EvidenceSpan, shown: Shown) -> dict[str, Any]:
        cited_by = self.cited_by.get((drawn_id(shown.candidate), span.passage_id), ())
        return {
            "passage_id": span.passage.docid,
            "start": span.start,
            "end": span.end,
            "text": (span.passage.text or "")[span.start : span.end],
            "source": span.source,
            "sas": None if span.sas is None else round(span.sas, SAS_DIGITS),
            "f1": self.f1.get((span.pk, shown.candidate.pk)),
            "reference_f1": self.f1.get((span.pk, None)),
            "cited_by": sorted(cited_by),
        }


def evidence_of(batch: Batch) -> Evidence:
    pool = batch.pool
    spans: dict[int, list[EvidenceSpan]] = defaultdict(list)
    ordered = EvidenceSpan.objects.filter(pool=pool).order_by("turn_id", "position")
    for span in ordered.select_related("passage"):
        spans[span.turn_id].append(span)
    matches = SpanMatch.objects.filter(span__pool=pool)
    f1: dict[tuple[int, int | None], float] = {
        (span, candidate): each
        for span, candidate, each in matches.values_list("span_id", "candidate_id", "f1")
    }
    return Evidence(spans, f1, _cited_by(pool))


def _cited_by(pool: Pool) -> dict[tuple[int, int], set[str]]:
    """Of the answers that were drawn: whose run cites which of the passages shown."""
    passages: dict[int, list[int]] = defaultdict(list)
    cited = Citation.objects.filter(passage__spans__pool=pool).order_by().distinct()
    for answer_id, passage_id in cited.values_list("answer_id", "passage_id"):
        passages[answer_id].append(passage_id)
    found: dict[tuple[int, int], set[str]] = defaultdict(set)
    drawn = credited(pool).values_list("answer_id", "candidate_id", "answer__run__name")
    for answer_id, candidate_id, run in drawn:
        for passage_id in passages.get(answer_id, ()):
            if candidate_id is not None:
                found[candidate_id, passage_id].add(run)
    return found
