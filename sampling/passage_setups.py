"""The passages that a comparison's setup shows for its turns (sampling.comparisons.rule)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import BooleanField, ExpressionWrapper, Min, Q

from corpus.models import COMPETING, Citation, Dataset, Offer, Passage, Run, Turn
from sampling.comparisons.rule import Setup
from scoring.queries import key_slices

# By turn what may be shown in its order: primary keys, None of what has no text.
_Docs = dict[int, list[int | None]]


@dataclass(frozen=True)
class TurnPassages:
    """The passages of a turn in their order, and the number skipped because they have no text."""

    passages: tuple[int, ...]
    n_without_text: int


def systems(runs: Iterable[Run]) -> list[Run]:
    """Return systems and baselines. References cite nothing, and need not answer every question."""
    return [run for run in runs if run.kind in COMPETING]


def turns_with_passages(dataset: Dataset, setup: Setup, runs: Iterable[Run]) -> set[int]:
    """Return the turns of the data set for which the setup has a passage with text."""
    if setup == "retrieved":
        cited = Citation.objects.filter(answer__run__in=systems(runs), passage__text__isnull=False)
        return set(cited.order_by().values_list("answer__turn_id", flat=True).distinct())
    offers = Offer.objects.filter(turn__conversation__dataset=dataset, passage__text__isnull=False)
    offered = set(offers.order_by().values_list("turn_id", flat=True).distinct())
    named = _truth_docids(Turn.objects.of(dataset).values_list("pk", "truth_passages"))
    key_of = _keys_with_text(dataset, {docid for docids in named.values() for docid in docids})
    by_name = {turn for turn, docids in named.items() if any(docid in key_of for docid in docids)}
    return (offered - named.keys()) | by_name


def passages(
    dataset: Dataset, setup: Setup, top: int | None, runs: Iterable[Run], turns: Sequence[int]
) -> dict[int, TurnPassages]:
    """Return the passages of the setup by turn, without turns that have none."""
    chosen = systems(runs)
    by_turn: dict[int, TurnPassages] = {}
    for some in key_slices(turns):
        listed = _retrieved(chosen, some) if setup == "retrieved" else _gold(dataset, some)
        by_turn |= {turn: _turn_passages(listed.get(turn, []), top) for turn in some}
    return by_turn


def _turn_passages(listed: Sequence[int | None], top: int | None) -> TurnPassages:
    """Return the first `top` passages with text.

    Passages without text are counted if they precede the last of these.
    """
    with_text: list[int] = []
    n_without_text = 0
    for passage in listed:
        if len(with_text) == top:
            break
        if passage is None:
            n_without_text += 1
        else:
            with_text.append(passage)
    return TurnPassages(tuple(with_text), n_without_text)


def _gold(dataset: Dataset, turns: Sequence[int]) -> _Docs:
    named = _truth_docids(Turn.objects.filter(pk__in=turns).values_list("pk", "truth_passages"))
    key_of = _keys_with_text(dataset, {docid for docids in named.values() for docid in docids})
    offers = Offer.objects.filter(turn__in=set(turns) - named.keys()).order_by("turn", "position")
    listed: _Docs = {
        turn: [key_of.get(docid) for docid in dict.fromkeys(docids)]
        for turn, docids in named.items()
    }
    for turn, passage, has_text in offers.annotate(has_text=_HAS_TEXT).values_list(
        "turn_id", "passage_id", "has_text"
    ):
        listed.setdefault(turn, []).append(passage if has_text else None)
    return listed


def _retrieved(runs: Sequence[Run], turns: Sequence[int]) -> _Docs:
    cited = Citation.objects.filter(answer__run__in=runs, answer__turn__in=turns).order_by()
    rows = cited.values_list("answer__turn_id", "passage_id", "passage__docid")
    listed: _Docs = {}
    # Sorted here, because databases order texts each in their own way.
    for turn, passage, _, _, has_text in sorted(
        rows.annotate(best=Min("rank"), has_text=_HAS_TEXT), key=_by_rank
    ):
        listed.setdefault(turn, []).append(passage if has_text else None)
    return listed


def _by_rank(cited: tuple[int, int, str, int | None, bool]) -> tuple[bool, int, str]:
    _, _, docid, rank, _ = cited
    return rank is None, rank or 0, docid


_HAS_TEXT = ExpressionWrapper(Q(passage__text__isnull=False), output_field=BooleanField())


def _truth_docids(rows: Iterable[tuple[int, list[str]]]) -> Mapping[int, list[str]]:
    """Return the ids of the passages that the truth names, by turn."""
    return {turn: docids for turn, docids in rows if docids}


def _keys_with_text(dataset: Dataset, docids: Collection[str]) -> dict[str, int]:
    """Return the primary keys of the passages with text among these."""
    found: dict[str, int] = {}
    for some in key_slices(sorted(docids)):
        rows = Passage.objects.with_text().filter(dataset=dataset, docid__in=some)
        found |= dict(rows.order_by().values_list("docid", "pk"))
    return found
