"""Which passages are relevant for turns whose truth names none: those that hold the truth's answer."""

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

MOST_SAID = 12


def is_needed(dataset: Dataset) -> bool:
    """Whether the truth of some turn has an answer and names no passage."""
    unnamed = Answer.objects.references(dataset).filter(turn__truth_passages=[])
    return unnamed.exclude(text="").exists()


def derive(
    dataset: Dataset,
    turns: Sequence[int],
    beat: Callable[[], None] = lambda: None,
    *,
    begin_at: int = 0,
) -> int:
    """Find what is relevant for these turns where nothing was derived, or more passages are known since; each
    turn is written as soon as it is found. Returns of how many it was found here.

    Passages are looked for among those offered for the turn and those that any run cites on it, so that
    recall means the same for every run: what is found says the same for every measure, and is seen by all at
    once. Workers that derive the same turns for several measures together begin at different ones, and do not
    derive what another has derived meanwhile.
    """
    references = scoring_queries.references(dataset, turns)
    named = scoring_queries.relevant(dataset, turns)
    asked = [pk for pk in turns if pk in references and pk not in named]
    known, kept = _known(asked), _kept(asked)
    old = [pk for pk in asked if kept.get(pk) != _digest(known[pk])]
    place = begin_at % len(old) if old else 0
    n_derived = 0
    for pk in (*old[place:], *old[:place]):
        beat()
        n_derived += _derive(dataset, pk, references[pk], known[pk])
    return n_derived


def _derive(dataset: Dataset, turn: int, references: Sequence[str], known: set[str]) -> int:
    """1 if it was found here; 0 if others had found it from all that is known."""
    while True:
        kept, digest = _kept([turn]).get(turn), _digest(known)
        if kept == digest:
            return 0
        texts = _texts(dataset, sorted(known))
        docids = sorted(relevant_passages((), texts, references, span_f1))
        if _written(turn, docids, digest, instead_of=kept):
            return 1
        # Somebody else was first, who may have known less than is known now, or more than was known here.
        known = _known([turn])[turn]


def _written(turn: int, docids: list[str], digest: str, *, instead_of: str | None) -> bool:
    """Whether it was: not where another worker has written the turn meanwhile."""
    found = {"docids": docids, "known_sha256": digest}
    if instead_of is None:
        _, is_new = Relevance.objects.get_or_create(turn_id=turn, defaults=found)
        return is_new
    old = Relevance.objects.filter(turn=turn, known_sha256=instead_of)
    return bool(old.update(**found))


def underived(dataset: Dataset) -> TurnQuerySet:
    """The turns for which it takes a derivation to know what is relevant, and there is none yet."""
    said = Answer.objects.references(dataset).filter(turn=OuterRef("pk"), text__regex=r"\S")
    return Turn.objects.of(dataset).filter(Exists(said), truth_passages=[], relevance=None)


@dataclass(frozen=True)
class Missing:
    """Turns on which nothing is derived yet: how many, and the keys of the first."""

    n: int
    first: tuple[str, ...]

    @property
    def n_more(self) -> int:
        return self.n - len(self.first)


def missing(dataset: Dataset) -> Missing | None:
    """What a derivation that was cancelled, or has not come to its end, left out; None where that is nothing."""
    turns = underived(dataset)
    n = turns.count()
    return Missing(n, tuple(turn.key for turn in turns[:MOST_SAID])) if n else None


def _kept(turns: Collection[int]) -> dict[int, str]:
    rows = Relevance.objects.filter(turn__in=turns)
    return dict(rows.values_list("turn_id", "known_sha256"))


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
    for start in range(0, len(docids), scoring_queries.MOST_NAMED):
        part = dataset.passages.filter(docid__in=docids[start : start + scoring_queries.MOST_NAMED])
        texts |= {docid: text or "" for docid, text in part.values_list("docid", "text")}
    return texts
