"""The passages that a comparison's setup shows for its turns (sampling.comparisons.rule)."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.db.models import BooleanField, ExpressionWrapper, Min, Q

from corpus.models import Citation, Dataset, Offer, Passage, Run, RunKind, Turn
from sampling.comparisons.rule import Setup
from scoring.queries import MOST_KEYS_PER_QUERY

T = TypeVar("T")
# By turn what may be shown in its order: primary keys, None of what has no text.
_Listed = dict[int, list[int | None]]


@dataclass(frozen=True)
class Shown:
    """What is shown for a turn, in its order, and how many were passed over because they have no text."""

    passages: tuple[int, ...]
    n_untold: int


def systems(runs: Iterable[Run]) -> list[Run]:
    """Those that compete: the references cite nothing, and need not answer everything."""
    return [run for run in runs if run.kind != RunKind.REFERENCE]


def turns_with_passages(dataset: Dataset, setup: Setup, runs: Iterable[Run]) -> set[int]:
    """The turns of the data set for which the setup has a passage with text."""
    if setup == "retrieved":
        cited = Citation.objects.filter(answer__run__in=systems(runs), passage__text__isnull=False)
        return set(cited.order_by().values_list("answer__turn_id", flat=True).distinct())
    offers = Offer.objects.filter(turn__conversation__dataset=dataset, passage__text__isnull=False)
    offered = set(offers.order_by().values_list("turn_id", flat=True).distinct())
    named = _named(Turn.objects.of(dataset).values_list("pk", "truth_passages"))
    told = _told(dataset, {docid for docids in named.values() for docid in docids})
    by_name = {turn for turn, docids in named.items() if any(docid in told for docid in docids)}
    return (offered - named.keys()) | by_name


def passages(
    dataset: Dataset, setup: Setup, top: int | None, runs: Iterable[Run], turns: Sequence[int]
) -> dict[int, Shown]:
    """What the setup shows for each of these turns; nothing of a turn that it has nothing for."""
    chosen = systems(runs)
    found: dict[int, Shown] = {}
    for some in _pieces(turns):
        listed = _retrieved(chosen, some) if setup == "retrieved" else _gold(dataset, some)
        found |= {turn: _shown(listed.get(turn, []), top) for turn in some}
    return found


def _shown(listed: Sequence[int | None], top: int | None) -> Shown:
    """One without a text takes no place of the `top`, and counts where it stands before the last shown."""
    told: list[int] = []
    n_untold = 0
    for passage in listed:
        if len(told) == top:
            break
        if passage is None:
            n_untold += 1
        else:
            told.append(passage)
    return Shown(tuple(told), n_untold)


def _gold(dataset: Dataset, turns: Sequence[int]) -> _Listed:
    named = _named(Turn.objects.filter(pk__in=turns).values_list("pk", "truth_passages"))
    told = _told(dataset, {docid for docids in named.values() for docid in docids})
    offers = Offer.objects.filter(turn__in=set(turns) - named.keys()).order_by("turn", "position")
    found: _Listed = {
        turn: [told.get(docid) for docid in dict.fromkeys(docids)] for turn, docids in named.items()
    }
    for turn, passage, has_text in offers.annotate(has_text=_HAS_TEXT).values_list(
        "turn_id", "passage_id", "has_text"
    ):
        found.setdefault(turn, []).append(passage if has_text else None)
    return found


def _retrieved(runs: Sequence[Run], turns: Sequence[int]) -> _Listed:
    cited = Citation.objects.filter(answer__run__in=runs, answer__turn__in=turns).order_by()
    rows = cited.values_list("answer__turn_id", "passage_id", "passage__docid")
    found: _Listed = {}
    # Sorted here, because databases order texts each in their own way.
    for turn, passage, _, _, has_text in sorted(
        rows.annotate(best=Min("rank"), has_text=_HAS_TEXT), key=_by_rank
    ):
        found.setdefault(turn, []).append(passage if has_text else None)
    return found


def _by_rank(cited: tuple[int, int, str, int | None, bool]) -> tuple[bool, int, str]:
    _, _, docid, rank, _ = cited
    return rank is None, rank or 0, docid


_HAS_TEXT = ExpressionWrapper(Q(passage__text__isnull=False), output_field=BooleanField())


def _named(rows: Iterable[tuple[int, list[str]]]) -> Mapping[int, list[str]]:
    """What the truth names by turn, where it names something."""
    return {turn: docids for turn, docids in rows if docids}


def _told(dataset: Dataset, docids: Collection[str]) -> dict[str, int]:
    """The keys of these passages, of those that have a text."""
    found: dict[str, int] = {}
    for some in _pieces(sorted(docids)):
        rows = Passage.objects.told().filter(dataset=dataset, docid__in=some)
        found |= dict(rows.order_by().values_list("docid", "pk"))
    return found


def _pieces(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """Databases have a limit of what a query names."""
    return (
        values[start : start + MOST_KEYS_PER_QUERY]
        for start in range(0, len(values), MOST_KEYS_PER_QUERY)
    )
