"""Double adjudication of a batch for requesters: agreement, disagreements, draws."""

from dataclasses import dataclass

from django.db.models import Count, F, QuerySet

from annotation.models import Adjudication, Batch, SecondAdjudication, SecondDraw, Verdict
from annotation.queries import adjudication_access
from stats import double_adjudication
from stats.double_adjudication import DoubleAdjudication


def drawable_adjudications(batch: Batch) -> QuerySet[Adjudication]:
    """The adjudications that current verdicts of the batch rest on and that were not drawn before."""
    current = Verdict.objects.current().filter(item__batch=batch, adjudication__isnull=False)
    adjudications = Adjudication.objects.filter(pk__in=current.values("adjudication"))
    return adjudications.filter(second_asked=None).select_related("item")


@dataclass(frozen=True)
class Summary:
    """Double adjudication of a batch.

    agreement   of the second labels with the first ones that are still current
    n_replaced  second labels left out because the first was replaced or retracted since
    n_waiting   requests for a second label that are open
    n_left      adjudications that can still be drawn
    """

    agreement: DoubleAdjudication
    n_replaced: int
    n_waiting: int
    n_left: int


def summary(batch: Batch) -> Summary:
    pairs = _comparable(batch).values_list("asked__first__label", "label")
    return Summary(
        agreement=(twice := double_adjudication.agreement(pairs)),
        n_replaced=_second_labels(batch).count() - twice.n,
        n_waiting=adjudication_access.open_requests(first__item__batch=batch).count(),
        n_left=drawable_adjudications(batch).count(),
    )


def _second_labels(batch: Batch) -> QuerySet[SecondAdjudication]:
    return SecondAdjudication.objects.filter(asked__draw__batch=batch)


def _comparable(batch: Batch) -> QuerySet[SecondAdjudication]:
    """The second labels of items whose verdict still rests on the first label."""
    return _second_labels(batch).filter(
        asked__first__in=adjudication_access.adjudicated_verdicts().values("adjudication")
    )


def disagreements(batch: Batch) -> QuerySet[SecondAdjudication]:
    """The second labels that differ from the first, in the order of items."""
    differ = _comparable(batch).exclude(label=F("asked__first__label"))
    related = ("asked__first__item", "asked__first__adjudicated_by", "adjudicated_by")
    return differ.select_related(*related).order_by("asked__first__item__position")


def draws(batch: Batch) -> QuerySet[SecondDraw]:
    return batch.second_draws.select_related("drawn_by").annotate(n_drawn=Count("asked"))
