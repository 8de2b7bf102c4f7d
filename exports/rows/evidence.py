"""The evidence of a batch's items: its spans, and which of them each answer and each run led to."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from annotation.models import Batch
from corpus.models import Citation, Dataset
from exports.rows.shown_answers import ShownAnswer, drawn_by_run, drawn_candidate_id
from sampling.models import EvidenceSpan, SpanCitation, SpanMatch

# Further digits of a model's number depend on the other texts of its batch.
SAS_DIGITS = 6


@dataclass(frozen=True)
class Evidence:
    """The spans of a pool, by primary keys.

    spans      the spans of each turn in their order on the screen
    f1         by span and candidate, token F1 with the answer; candidate None: with the reference
    cited_by   by drawn candidate and passage, the names of the runs that cite the passage
    quoted_by  by drawn candidate and span, the names of the runs that quote a part of the span
    """

    spans: dict[int, list[EvidenceSpan]]
    f1: dict[tuple[int, int | None], float]
    cited_by: dict[tuple[int, int], set[str]]
    quoted_by: dict[tuple[int, int], set[str]]

    def paragraph(self, answer: ShownAnswer) -> list[dict[str, Any]]:
        """The spans that are shown with the answer, as the column `evidence` has them."""
        return [self._span(span, answer) for span in self.spans.get(answer.candidate.turn_id, ())]

    def _span(self, span: EvidenceSpan, answer: ShownAnswer) -> dict[str, Any]:
        drawn = drawn_candidate_id(answer.candidate)
        return {
            "passage_id": span.passage.docid,
            "start": span.start,
            "end": span.end,
            "text": (span.passage.text or "")[span.start : span.end],
            "source": span.source,
            "sas": None if span.sas is None else round(span.sas, SAS_DIGITS),
            "f1": self.f1.get((span.pk, answer.candidate.pk)),
            "reference_f1": self.f1.get((span.pk, None)),
            "cited_by": sorted(self.cited_by.get((drawn, span.passage_id), ())),
            "quoted_by": sorted(self.quoted_by.get((drawn, span.pk), ())),
        }


def evidence_of(
    batch: Batch,
    turns: Collection[int] | None = None,
    dataset: Dataset | None = None,
    asked: Collection[int] = (),
) -> Evidence:
    """Return the evidence of the batch's pool; `turns` limits it to that of these turns.

    The runs are those of the version `dataset`, if one is given. `asked` as of shown_answers.drawn_by_run().
    """
    pool = batch.pool
    of_turns = {} if turns is None else {"turn__in": turns}
    of_spans = {"span__pool": pool} | {f"span__{key}": value for key, value in of_turns.items()}
    spans_of = {
        f"passage__spans__{key}": value for key, value in ({"pool": pool} | of_turns).items()
    }
    spans: dict[int, list[EvidenceSpan]] = defaultdict(list)
    ordered = EvidenceSpan.objects.filter(pool=pool, **of_turns).order_by("turn_id", "position")
    for span in ordered.select_related("passage"):
        spans[span.turn_id].append(span)
    matches = SpanMatch.objects.filter(**of_spans)
    f1: dict[tuple[int, int | None], float] = {
        (span, candidate): each
        for span, candidate, each in matches.values_list("span_id", "candidate_id", "f1")
    }
    cited = Citation.objects.filter(**spans_of).order_by().distinct()
    quoted = SpanCitation.objects.filter(**of_spans).order_by().distinct()
    return Evidence(
        spans,
        f1,
        _runs_by_candidate(batch, cited.values_list("answer_id", "passage_id"), dataset, asked),
        _runs_by_candidate(
            batch, quoted.values_list("citation__answer_id", "span_id"), dataset, asked
        ),
    )


def _runs_by_candidate(
    batch: Batch,
    pairs: Iterable[tuple[int, int]],
    dataset: Dataset | None,
    asked: Collection[int],
) -> dict[tuple[int, int], set[str]]:
    """The names of the runs for each drawn candidate and passage or span.

    `pairs` have the primary keys of a run's answer and of a passage or span.
    """
    keys: dict[int, list[int]] = defaultdict(list)
    for answer_id, key in pairs:
        keys[answer_id].append(key)
    runs: dict[tuple[int, int], set[str]] = defaultdict(set)
    if not keys:
        return runs
    drawn = drawn_by_run(batch.pool, dataset, asked=asked, is_rehearsal=batch.is_rehearsal)
    for answer_id, candidate_id, run in drawn:
        for key in keys.get(answer_id, ()):
            if candidate_id is not None:
                runs[candidate_id, key].add(run)
    return runs
