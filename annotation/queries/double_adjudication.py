"""What a requester reads of second looks: how many agree, which items differ, what was drawn."""

from dataclasses import dataclass

from django.db.models import Count, F, QuerySet

from annotation.models import Adjudication, Batch, SecondAdjudication, SecondDraw, Verdict
from annotation.queries import adjudication_access
from stats import double_adjudication
from stats.double_adjudication import DoubleAdjudication


def adjudicated(batch: Batch) -> QuerySet[Adjudication]:
    """The adjudications that verdicts of the batch rest on and that were not drawn before."""
    current = Verdict.objects.current().filter(item__batch=batch, adjudication__isnull=False)
    found = Adjudication.objects.filter(pk__in=current.values("adjudication"))
    return found.filter(second_asked=None).select_related("item")


@dataclass(frozen=True)
class Looks:
    """The batch's second looks: the agreement of those made, without those whose first label was replaced or
    taken back since; how many these are, how many wait, and how many can be drawn.
    """

    agreement: DoubleAdjudication
    n_replaced: int
    n_waiting: int
    n_left: int


def looks(batch: Batch) -> Looks:
    pairs = _standing(batch).values_list("asked__first__label", "label")
    return Looks(
        agreement=(twice := double_adjudication.agreement(pairs)),
        n_replaced=_made(batch).count() - twice.n,
        n_waiting=adjudication_access.still_open(first__item__batch=batch).count(),
        n_left=adjudicated(batch).count(),
    )


def _made(batch: Batch) -> QuerySet[SecondAdjudication]:
    return SecondAdjudication.objects.filter(asked__draw__batch=batch)


def _standing(batch: Batch) -> QuerySet[SecondAdjudication]:
    """Those beside a first label that the item's verdict rests on now."""
    return _made(batch).filter(
        asked__first__in=adjudication_access.standing().values("adjudication")
    )


def differing(batch: Batch) -> QuerySet[SecondAdjudication]:
    """Those that say another label than the first, in the order of items."""
    differ = _standing(batch).exclude(label=F("asked__first__label"))
    related = ("asked__first__item", "asked__first__adjudicated_by", "adjudicated_by")
    return differ.select_related(*related).order_by("asked__first__item__position")


def draws(batch: Batch) -> QuerySet[SecondDraw]:
    return batch.second_draws.select_related("drawn_by").annotate(n_drawn=Count("asked"))
