"""Which passages are relevant for turns whose truth names none: those that hold the truth's answer."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection

from corpus.models import Answer, Citation, Dataset, Offer, RunKind
from scoring import tables
from scoring.models import Relevance
from scoring.relevance import span_f1
from scoring.retrieval import relevant_passages


def is_needed(dataset: Dataset) -> bool:
    """Whether the truth of some turn has an answer and names no passage."""
    unnamed = Answer.objects.references(dataset).filter(turn__truth_passages=[])
    return unnamed.exclude(text="").exists()


def derive(
    dataset: Dataset, turns: Collection[int], beat: Callable[[], None] = lambda: None
) -> list[Relevance]:
    """What is new of these turns, not saved: where nothing was derived, or more passages are known since.

    They are looked for among those offered for the turn and those that any run cites on it, so that recall
    means the same for every run.
    """
    references = tables.references(dataset, turns)
    named = tables.relevant(dataset, turns)
    asked = [pk for pk in turns if pk in references and pk not in named]
    known = _known(asked)
    kept = dict(Relevance.objects.filter(turn__in=asked).values_list("turn_id", "known_sha256"))
    found = []
    for pk in asked:
        beat()
        digest = _digest(known[pk])
        if kept.get(pk) == digest:
            continue
        texts = _texts(dataset, sorted(known[pk]))
        docids = relevant_passages((), texts, references[pk], span_f1)
        found.append(Relevance(turn_id=pk, docids=sorted(docids), known_sha256=digest))
    return found


def save(rows: Collection[Relevance]) -> None:
    Relevance.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["turn"],
        update_fields=["docids", "known_sha256"],
    )


def _known(turns: Collection[int]) -> dict[int, set[str]]:
    """The ids of the passages with a text that each turn knows."""
    offered = Offer.objects.filter(turn__in=turns, passage__text__isnull=False)
    cited = Citation.objects.filter(
        answer__turn__in=turns, answer__run__staged_by=None, passage__text__isnull=False
    ).exclude(answer__run__kind=RunKind.REFERENCE)
    known: dict[int, set[str]] = defaultdict(set)
    for rows in (
        offered.values_list("turn_id", "passage__docid"),
        cited.values_list("answer__turn_id", "passage__docid").distinct().order_by(),
    ):
        for pk, docid in rows.iterator():
            known[pk].add(docid)
    return known


def _digest(docids: Collection[str]) -> str:
    return hashlib.sha256("\n".join(sorted(docids)).encode("utf-8")).hexdigest()


def _texts(dataset: Dataset, docids: list[str]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for start in range(0, len(docids), tables.MOST_NAMED):
        part = dataset.passages.filter(docid__in=docids[start : start + tables.MOST_NAMED])
        texts |= {docid: text or "" for docid, text in part.values_list("docid", "text")}
    return texts
