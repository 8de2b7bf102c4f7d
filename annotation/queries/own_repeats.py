"""The items that a person judged in a batch and may be handed once more."""

from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, QuerySet

from annotation import schemes
from annotation.design.control_draws import GAP, Draws
from annotation.models import Assignment, AssignmentState, Batch, Judgement
from annotation.models.items import FIRST_REPEAT
from annotation.schemes import ChoiceScheme
from performance.compiled_queries import Compiled, Param
from stats.lots import lot

# Of so many judgements before the last GAP ones an item is drawn: a claim reads no more, however much somebody did.
READ = 200


class OwnItem(NamedTuple):
    """An item that the person judged. `has_places`: it is neither a control item nor a repeat. `is_counted` is their
    judgement, `is_repeated`: they were handed its repeat.
    """

    pk: int
    turn_id: int
    payload_sha256: str
    has_places: int | None
    is_excluded: bool
    is_counted: bool
    is_repeated: bool


def _own_items(batch: int | Param, annotator: int | Param) -> QuerySet[Assignment, tuple[Any, ...]]:
    counted = Judgement.objects.counted().filter(assignment=OuterRef("pk"))
    repeated = Assignment.objects.filter(
        annotator=OuterRef("annotator"), item__repeats=OuterRef("item")
    )
    return (
        Assignment.objects.filter(
            item__batch=batch, annotator=annotator, state=AssignmentState.SUBMITTED
        )
        .order_by("-submitted_at", "-pk")
        .annotate(is_counted=Exists(counted), is_repeated=Exists(repeated))
        .values_list(
            *("item", "item__turn", "item__payload_sha256", "item__n_wanted", "item__is_excluded"),
            *("is_counted", "is_repeated"),
        )[GAP : GAP + READ]
    )


OWN_ITEMS = Compiled(lambda *, batch, annotator: _own_items(batch, annotator))


def objection(batch: Batch) -> str:
    """Why the batch can have no repeats; "" if it can, or asks for none."""
    if batch.repeat_every is None:
        return ""
    if batch.is_training:
        return f"the training {batch.name} has no repeats: after each item people are told what was expected"
    if not isinstance(schemes.get(batch.scheme), ChoiceScheme):
        return f"the scheme {batch.scheme} has no repeats: its items are not answered with one label, to compare"
    return ""


def draws_of(batch: Batch, annotator: int) -> Draws:
    """The draws of the person in a batch that has repeats. None is drawn among the first claims, for which nothing is
    old enough: those of the gap, and what a person holds.
    """
    first = GAP + batch.prefetch_depth
    return Draws(batch.seed, batch.lot_name, annotator, batch.repeat_every or 0, "repeat", first)


def most_free(batch: Batch, annotator: int) -> dict[Draws, int]:
    """An upper bound of the repeats that the person may still be handed, by their draws; {} where the batch has none.

    That enough items are old enough is taken for granted: who judged more than GAP items has some, but where what
    they did does not count.
    """
    return {draws_of(batch, annotator): FIRST_REPEAT} if batch.has_repeats else {}


def own_items(batch: Batch, annotator: int) -> list[OwnItem]:
    """The items that may be repeated to the person now, in the order of their lots. One query.

    Each has a counted judgement of theirs, after which they judged at least GAP others in the batch; it is not
    excluded, and was not repeated to them.
    """
    rows = [OwnItem(*row) for row in OWN_ITEMS.all(batch=batch.pk, annotator=annotator)]
    usable = [
        each
        for each in rows
        if each.has_places is not None
        and each.is_counted
        and not (each.is_excluded or each.is_repeated)
    ]
    name = (batch.seed, batch.lot_name, annotator, "repeat")
    return sorted(usable, key=lambda each: lot(*name, each.payload_sha256))
