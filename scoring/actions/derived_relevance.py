"""Derive the relevant passages of turns whose truth names none: those that contain its answer."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from corpus.models import Answer, Citation, Dataset, Offer, RunKind, Turn, TurnQuerySet
from scoring import queries as scoring_queries
from scoring.derived_relevance import span_f1
from scoring.models import Relevance
from scoring.retrieval import relevant_passages

MOST_KEYS_NAMED = 12


def is_needed(dataset: Dataset) -> bool:
    """Return whether the truth of some turn has an answer and names no passage."""
    unnamed = Answer.objects.references(dataset).filter(turn__truth_passages=[])
    return unnamed.exclude(text="").exists()


def derive(
    dataset: Dataset,
    turns: Sequence[int],
    beat: Callable[[], None] = lambda: None,
    *,
    begin_at: int = 0,
) -> int:
    """Derive relevance for those turns that have none, or have more passages now.

    Return their number.

    Each turn is written at once. The passages considered are those offered for the turn and those
    that any run cites on it, so that recall means the same for every run and every measure. Workers
    that derive the same turns for several measures begin at different turns, and skip a turn that
    another worker has derived meanwhile.
    """
    references = scoring_queries.references(dataset, turns)
    named = scoring_queries.relevant_docids(dataset, turns)
    unnamed = [pk for pk in turns if pk in references and pk not in named]
    known, stored = _known_docids(unnamed), _stored_digests(unnamed)
    old = [pk for pk in unnamed if stored.get(pk) != _digest(known[pk])]
    place = begin_at % len(old) if old else 0
    n_derived = 0
    for pk in (*old[place:], *old[:place]):
        beat()
        n_derived += _derive(dataset, pk, references[pk], known[pk])
    return n_derived


def _derive(dataset: Dataset, turn: int, references: Sequence[str], known: set[str]) -> int:
    """Return 1 if this call wrote the turn, 0 if another worker had already derived it."""
    while True:
        stored, digest = _stored_digests([turn]).get(turn), _digest(known)
        if stored == digest:
            return 0
        texts = _texts(dataset, sorted(known))
        docids = sorted(relevant_passages((), texts, references, span_f1))
        if _write(turn, docids, digest, instead_of=stored):
            return 1
        # Another worker was first, perhaps with fewer passages than there are now, perhaps with more than here.
        known = _known_docids([turn])[turn]


def _write(turn: int, docids: list[str], digest: str, *, instead_of: str | None) -> bool:
    """Write the turn; return False if another worker has written it meanwhile."""
    fields = {"docids": docids, "known_sha256": digest}
    if instead_of is None:
        _, is_new = Relevance.objects.get_or_create(turn_id=turn, defaults=fields)
        return is_new
    old = Relevance.objects.filter(turn=turn, known_sha256=instead_of)
    return bool(old.update(**fields))


def underived_turns(dataset: Dataset) -> TurnQuerySet:
    """The turns that need a derivation and have none yet."""
    references = Answer.objects.references(dataset).filter(turn=OuterRef("pk"), text__regex=r"\S")
    return Turn.objects.of(dataset).filter(Exists(references), truth_passages=[], relevance=None)


@dataclass(frozen=True)
class MissingRelevance:
    """The number of turns without derived relevance, and the keys of the first of them."""

    n: int
    first: tuple[str, ...]

    @property
    def n_more(self) -> int:
        return self.n - len(self.first)


def missing_relevance(dataset: Dataset) -> MissingRelevance | None:
    """Return what a cancelled or unfinished derivation left out; None if it is complete."""
    turns = underived_turns(dataset)
    n = turns.count()
    return MissingRelevance(n, tuple(turn.key for turn in turns[:MOST_KEYS_NAMED])) if n else None


def _stored_digests(turns: Collection[int]) -> dict[int, str]:
    rows = Relevance.objects.filter(turn__in=turns)
    return dict(rows.values_list("turn_id", "known_sha256"))


def _known_docids(turns: Collection[int]) -> dict[int, set[str]]:
    """Return the ids, by turn, of the passages with text that are offered for it or cited on it."""
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
    for some in scoring_queries.key_slices(docids):
        part = dataset.passages.filter(docid__in=some)
        texts |= {docid: text or "" for docid, text in part.values_list("docid", "text")}
    return texts
