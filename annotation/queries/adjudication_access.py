"""Access of adjudicators to items with an open request for a second label.

The second label may be given by adjudicators who have not acted on the item, nor on an item that its answer led to:
a batch that asks about the answer by evidence reveals the first label. They must not see the first label before.
"""

from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Exists, Expression, Q, QuerySet

from accounts.models import Role, RoleGrant, Study, User
from annotation.models import (
    Adjudication,
    Assignment,
    Batch,
    Exclusion,
    Item,
    Retraction,
    Review,
    SecondAdjudication,
    SecondAsked,
    Verdict,
)
from performance.compiled_queries import Compiled

SETTLE_FIRST = (
    "you are to settle its answer a second time: do so first, on the page of second looks"
)


def items_acted_on(person: User | Expression) -> QuerySet[Item]:
    """The items that the person was handed or decided about: by a review, an adjudication or its retraction,
    a second adjudication, an exclusion.
    """
    acts: tuple[QuerySet[Any, Any], ...] = (
        Assignment.objects.filter(annotator=person).values("item"),
        Adjudication.objects.filter(adjudicated_by=person).values("item"),
        SecondAdjudication.objects.filter(adjudicated_by=person).values("asked__first__item"),
        Retraction.objects.filter(retracted_by=person).values("adjudication__item"),
        Exclusion.objects.filter(excluded_by=person).values("item"),
        Review.objects.filter(reviewed_by=person).values("judgement__assignment__item"),
    )
    return Item.objects.filter(reduce(or_, (Q(pk__in=act) for act in acts)))


def adjudicated_verdicts() -> QuerySet[Verdict]:
    """The current verdicts by adjudication: only these can get a second label."""
    return Verdict.objects.current().filter(adjudication__isnull=False)


def open_requests(**where: object) -> QuerySet[SecondAsked]:
    """Requests for a second label that wait; not those whose first adjudication was retracted or replaced."""
    requests = SecondAsked.objects.filter(second=None, **where)
    requests = requests.filter(first__item__batch__in=Batch.objects.counting())
    requests = requests.filter(first__in=adjudicated_verdicts().values("adjudication"))
    return requests.select_related("first__item__batch__study", "first__item__batch__guideline")


def requests_open_for(adjudicator: User | Expression, **where: object) -> QuerySet[SecondAsked]:
    """The open requests that this person may settle."""
    own_items = items_acted_on(adjudicator).order_by()
    led_to_theirs = Item.objects.filter(led_to__in=own_items).order_by()
    requests = open_requests(**where).exclude(first__item__in=own_items.values("pk"))
    return requests.exclude(first__item__in=led_to_theirs.values("pk"))


OPEN_FOR_ITEM = Compiled(
    lambda *, adjudicator, study, item: (
        requests_open_for(adjudicator, first__item__batch__study=study)
        .filter(Q(first__item__public_id=item) | Q(first__item__led_to__public_id=item))
        .order_by("draw_id", "pk")
    )
)
# One row, if somebody waits for a second label in the study and the person may give one.
WAITED_FOR = Compiled(
    lambda *, person, study: RoleGrant.objects.filter(
        Exists(SecondAsked.objects.filter(second=None, first__item__batch__study=study)),
        membership__study=study,
        membership__user=person,
        role=Role.ADJUDICATOR,
    ).values_list("pk")
)
MUST_NOT_SEE = Compiled(
    lambda *, reader, item, origin: (
        _as_adjudicator(reader)
        .filter(Q(first__item=item) | Q(first__item=origin))
        .values_list("pk")
    )
)


def request_open_for(adjudicator: User, study: Study, item: UUID) -> SecondAsked | None:
    """The open request that this person may settle, for the item or for the one that it came from."""
    return OPEN_FOR_ITEM.first(adjudicator=adjudicator.pk, study=study.pk, item=item)


def items_hidden_from(reader: User, study: Study) -> QuerySet[Item]:
    """The items that this person may have to settle a second time, the items that their answers led to, and the
    repeats of both. Where no second label is waited for, as in most studies, nothing is looked for among the items.
    """
    if not WAITED_FOR.all(person=reader.pk, study=study.pk):
        return Item.objects.none()
    first_items = (
        _as_adjudicator(reader).filter(first__item__batch__study=study).values("first__item")
    )
    return Item.objects.filter(
        Q(pk__in=first_items)
        | Q(came_from__in=first_items)
        | Q(repeats__in=first_items)
        | Q(repeats__came_from__in=first_items)
    )


def must_not_see(reader: User, item: Item) -> bool:
    shown = item.repeats or item
    origin = shown.came_from_id or shown.pk
    return bool(MUST_NOT_SEE.all(reader=reader.pk, item=shown.pk, origin=origin))


def _as_adjudicator(reader: User | Expression) -> QuerySet[SecondAsked]:
    """The open requests for this person in the studies where they are an adjudicator."""
    grants = RoleGrant.objects.filter(membership__user=reader, role=Role.ADJUDICATOR)
    return requests_open_for(reader).filter(
        first__item__batch__study__in=grants.values("membership__study")
    )
