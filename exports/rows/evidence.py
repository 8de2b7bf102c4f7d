"""The evidence of a batch's items, with what of it is each answer's own and its runs' own."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from annotation.models import Batch
from corpus.models import Citation
from exports.rows.shown_answers import Shown, credited, drawn_id
from sampling.models import EvidenceSpan, Pool, SpanCitation, SpanMatch

# Beyond these, a model's numbers depend on what else was in the batch.
SAS_DIGITS = 6


@dataclass(frozen=True)
class Evidence:
    """What the spans of a pool are, for whom they were found, and who quotes them and cites their passages."""

    spans: dict[int, list[EvidenceSpan]]  # by turn, in the order shown
    f1: dict[tuple[int, int | None], float]  # by span and candidate; None: the reference
    cited_by: dict[tuple[int, int], set[str]]  # the runs, by drawn candidate and passage
    quoted_by: dict[tuple[int, int], set[str]]  # the runs, by drawn candidate and span

    def of(self, shown: Shown) -> list[dict[str, Any]]:
        """The paragraph of the answer's turn, span by span."""
        return [self._piece(span, shown) for span in self.spans.get(shown.candidate.turn_id, ())]

    def _piece(self, span: EvidenceSpan, shown: Shown) -> dict[str, Any]:
        drawn = drawn_id(shown.candidate)
        return {
            "passage_id": span.passage.docid,
            "start": span.start,
            "end": span.end,
            "text": (span.passage.text or "")[span.start : span.end],
            "source": span.source,
            "sas": None if span.sas is None else round(span.sas, SAS_DIGITS),
            "f1": self.f1.get((span.pk, shown.candidate.pk)),
            "reference_f1": self.f1.get((span.pk, None)),
            "cited_by": sorted(self.cited_by.get((drawn, span.passage_id), ())),
            "quoted_by": sorted(self.quoted_by.get((drawn, span.pk), ())),
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
    cited = Citation.objects.filter(passage__spans__pool=pool).order_by().distinct()
    quoted = SpanCitation.objects.filter(span__pool=pool).order_by().distinct()
    return Evidence(
        spans,
        f1,
        _by_run(pool, cited.values_list("answer_id", "passage_id")),
        _by_run(pool, quoted.values_list("citation__answer_id", "span_id")),
    )


def _by_run(pool: Pool, said: Iterable[tuple[int, int]]) -> dict[tuple[int, int], set[str]]:
    """Of pairs of an answer and something of it: whose run's it is, by drawn candidate and that thing."""
    things: dict[int, list[int]] = defaultdict(list)
    for answer_id, thing in said:
        things[answer_id].append(thing)
    found: dict[tuple[int, int], set[str]] = defaultdict(set)
    drawn = credited(pool).values_list("answer_id", "candidate_id", "answer__run__name")
    for answer_id, candidate_id, run in drawn if things else ():
        for thing in things.get(answer_id, ()):
            if candidate_id is not None:
                found[candidate_id, thing].add(run)
    return found
