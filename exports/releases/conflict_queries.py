"""Answers that several batches of a release decided differently."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F

from annotation.models import Batch, ItemAnswer, Verdict, VerdictState
from annotation.queries.repeated_answers import about_shared_turns
from annotation.schemes import ACCEPTANCE, GROUNDING
from corpus import versions
from corpus.models import Dataset, turn_key
from exports.rows.outcomes import decisions


@dataclass(frozen=True)
class DecidedIn:
    """The label of an answer in one batch, by what it was decided, and whether it counts."""

    batch: str
    verdict: str
    source: str
    is_newest: bool


@dataclass(frozen=True)
class Conflict:
    """An answer with different labels in several batches of a scheme."""

    scheme: str
    turn: str
    answer: str
    verdicts: list[DecidedIn]


def conflicts(batches: Sequence[Batch], dataset: Dataset) -> list[Conflict]:
    """Return the conflicts between these batches, in the order of their making, by scheme and turn.

    Only of turns that stand in the version `dataset`.
    """
    return [
        conflict
        for scheme in (ACCEPTANCE.name, GROUNDING.name)
        for conflict in _of_scheme(
            [each for each in batches if each.scheme == scheme], scheme, dataset
        )
    ]


def _of_scheme(batches: Sequence[Batch], scheme: str, dataset: Dataset) -> list[Conflict]:
    if len(batches) < 2:
        return []
    items = about_shared_turns(batches).filter(n_wanted__isnull=False)
    decided = Verdict.objects.current().filter(state=VerdictState.DECIDED, item__in=items)
    labels = {
        item: (label, by)
        for item, label, by in decided.order_by().values_list("item", "label", "source")
    }
    shown = ItemAnswer.objects.filter(versions.stands(dataset, "candidate__turn"), item__in=items)
    found: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for turn, text, item, batch in shown.values_list(
        turn_key("candidate__turn__"), F("candidate__text"), "item", "item__batch"
    ):
        if item in labels:
            found[turn, text].append((batch, item))
    unlike = {
        answer: items
        for answer, items in found.items()
        if len({labels[item][0] for _, item in items}) > 1
    }
    counting = decisions(batches, scheme, dataset=dataset) if unlike else {}
    ranks = {batch.pk: rank for rank, batch in enumerate(batches)}
    return [
        Conflict(
            scheme,
            *answer,
            [
                DecidedIn(
                    batches[ranks[batch]].name,
                    *labels[item],
                    is_newest=answer in counting
                    and counting[answer].batch == batches[ranks[batch]].name,
                )
                for batch, item in sorted(items, key=lambda each: ranks[each[0]])
            ],
        )
        for answer, items in sorted(unlike.items())
    ]
