"""The rows of reference_evidence.csv, and which search they are of."""

from typing import Any

from corpus.models import Dataset
from corpus.queries import turn_ids
from exports.rows.derived_columns import ReferenceEvidenceRow
from exports.rows.evidence import SAS_DIGITS
from sampling.models import EvidenceSpan, Pool, Purpose


def newest_search(dataset: Dataset) -> Pool | None:
    """Return the pool of the newest finished search for the evidence of the version's references, if any."""
    pools = Pool.objects.filter(
        dataset=dataset, purpose=Purpose.REFERENCES, built_at__isnull=False, is_withdrawn=False
    )
    return pools.select_related("dataset", "scorer").order_by("built_at", "pk").last()


def manifest_entry(pool: Pool | None) -> dict[str, Any]:
    """Return for the manifest what the search was; empty without one."""
    if pool is None:
        return {}
    scorer = str(pool.scorer) if pool.scorer else None
    about = {"pool": pool.name, "rule": pool.rule, "scorer": scorer, "counts": pool.counts}
    return {"reference_evidence": about}


def reference_evidence_rows(pool: Pool | None) -> list[ReferenceEvidenceRow]:
    """Return the sentences of the search, sorted by turn and place; an empty list without one.

    Raises ValueError if a sentence matches no reference: the search stores none without a match.
    """
    if pool is None:
        return []
    names = {pk: key for key, pk in turn_ids(pool.dataset).items()}
    spans = EvidenceSpan.objects.filter(pool=pool).select_related("passage")
    found = [
        ReferenceEvidenceRow(
            turn_id=names[span.turn_id],
            position=span.position,
            passage_id=span.passage.docid,
            start=span.start,
            end=span.end,
            text=(span.passage.text or "")[span.start : span.end],
            f1=_f1(span, names[span.turn_id], pool),
            sas=None if span.sas is None else round(span.sas, SAS_DIGITS),
        )
        for span in spans.prefetch_related("matches")
    ]
    return sorted(found, key=lambda row: (row.turn_id, row.position))


def _f1(span: EvidenceSpan, turn: str, pool: Pool) -> float:
    found = [match.f1 for match in span.matches.all()]
    if not found:
        raise ValueError(
            f"sentence {span.position} of the turn {turn} in the pool {pool} matches no reference:"
            " search for the evidence of references again, under another name"
        )
    return max(found)
