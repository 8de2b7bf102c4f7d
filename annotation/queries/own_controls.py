"""The control items of a batch for one person: which they may be handed, and how they answered the others."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from annotation import schemes
from annotation.design import control_draws
from annotation.design.control_draws import Draws
from annotation.models import Assignment, Batch, Item, Judgement
from annotation.schemes.base import Response
from performance.compiled_queries import Compiled, Param
from stats.lots import lot


class ControlItem(NamedTuple):
    """A control item that is not excluded, with the person's `state` (None: they were not handed it), `response` and
    `submitted_at`. `is_known`: they were handed another item that shows the same or is of the same question.
    """

    pk: int
    turn_id: int
    payload_sha256: str
    known_label: str
    state: str | None
    response: Response | None
    submitted_at: datetime | None
    is_known: bool


def _control_items(batch: int | Param, annotator: int | Param) -> QuerySet[Item, tuple[Any, ...]]:
    own = Assignment.objects.filter(annotator=annotator)
    of_item = own.filter(item=OuterRef("pk"))
    answers = Judgement.objects.not_withdrawn().filter(
        assignment__annotator=annotator, assignment__item=OuterRef("pk")
    )
    same = Q(item__turn=OuterRef("turn")) | Q(item__payload_sha256=OuterRef("payload_sha256"))
    return (
        Item.objects.keyed()
        .filter(batch=batch)
        .annotate(
            known_label=F("key__label"),
            state=Subquery(of_item.values("state")[:1]),
            response=Subquery(answers.values("response")[:1]),
            submitted_at=Subquery(of_item.values("submitted_at")[:1]),
            is_known=Exists(own.filter(same).exclude(item=OuterRef("pk"))),
        )
        .order_by("pk")
        .values_list(*ControlItem._fields)
    )


# Without what they show: that is read of those that are handed out.
CONTROL_ITEMS = Compiled(lambda *, batch, annotator: _control_items(batch, annotator))
ITEMS = Compiled(lambda *, pks: Item.objects.filter(pk__in=pks))
# A key that no row has.
NONE = 0


@dataclass(frozen=True)
class OwnControls:
    """The control items of a batch for one person.

    free        those that they may be handed, one of a question, in the order of their lots
    is_halved   whether they are handed half as many after their first ones
    """

    free: list[ControlItem]
    is_halved: bool


def own_controls(batch: Batch, annotator: int) -> OwnControls:
    """One query."""
    rows = [ControlItem(*row) for row in CONTROL_ITEMS.all(batch=batch.pk, annotator=annotator)]
    scheme = schemes.verdict_scheme(batch.scheme)
    answered = sorted(
        (each for each in rows if each.response is not None),
        key=lambda each: (each.submitted_at, each.pk),
    )
    turns = {each.turn_id for each in rows if each.state is not None}
    unseen = [each for each in rows if each.state is None and not each.is_known]
    free: list[ControlItem] = []
    for each in sorted(
        unseen, key=lambda each: lot(batch.seed, batch.lot_name, annotator, each.payload_sha256)
    ):
        if each.turn_id not in turns:
            turns.add(each.turn_id)
            free.append(each)
    return OwnControls(
        free,
        control_draws.is_halved(
            scheme.label(each.response) == each.known_label  # type: ignore[arg-type]  # it is one
            for each in answered
        ),
    )


def without_any(batch: Batch, people: Collection[int]) -> set[int]:
    """Which of the people (keys) were handed all questions of the batch's control items elsewhere, and so get none of
    these; nobody where the batch has no control item.
    """
    items = Item.objects.keyed().filter(batch=batch)
    turns = set(items.order_by().values_list("turn", flat=True))
    elsewhere = Assignment.objects.filter(item__turn__in=turns, annotator__in=people)
    pairs = elsewhere.exclude(item__in=items).order_by().values_list("annotator", "item__turn")
    n_seen = Counter(annotator for annotator, _ in pairs.distinct())
    return {annotator for annotator, n in n_seen.items() if n == len(turns)}


def items_of(controls: Sequence[ControlItem]) -> dict[int, Item]:
    """The items by their keys. One query, also of none: a claim without a control item takes as long as one with."""
    rows = ITEMS.all(pks=[each.pk for each in controls] or [NONE])
    return {item.pk: item for item in rows}


def draws_of(batch: Batch, annotator: int) -> Draws:
    """The draws of the person in a batch that has control items."""
    return Draws(batch.seed, batch.lot_name, annotator, batch.control_every or 0)


def n_free(batch: Batch, annotator: int) -> dict[Draws, int]:
    """How many control items the person may still be handed, by their draws; {}, without a query, where the batch has
    none.
    """
    if batch.control_every is None:
        return {}
    return {draws_of(batch, annotator): len(own_controls(batch, annotator).free)}
