"""Who is to settle an item a second time: until they have, they learn nothing of the first label.

That is an adjudicator who had no part yet in how the item ended, nor in how the item ended that its answer
led to: an answer is asked about further because of the first label.
"""

from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet

from accounts.models import Role, RoleGrant, Study, User
from annotation.models import (
    Adjudication,
    Assignment,
    Exclusion,
    Item,
    Retraction,
    Review,
    SecondAdjudication,
    SecondAsked,
    Verdict,
)

SETTLE_FIRST = (
    "you are to settle its answer a second time: do so first, on the page of second looks"
)


def touched(person: User) -> QuerySet[Item]:
    """The items that the person was handed, or decided about: a review, an adjudication, a second one, one
    taken back, an exclusion.
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


def standing() -> QuerySet[Verdict]:
    """The verdicts that rest on an adjudication now: only their label can be looked at a second time."""
    return Verdict.objects.current().filter(adjudication__isnull=False)


def still_open(**where: object) -> QuerySet[SecondAsked]:
    """What waits for a second settlement: what was taken back or replaced meanwhile waits no more."""
    asked = SecondAsked.objects.filter(second=None, **where)
    asked = asked.filter(first__in=standing().values("adjudication"))
    return asked.select_related("first__item__batch__study", "first__item__batch__guideline")


def open_for(adjudicator: User, **where: object) -> QuerySet[SecondAsked]:
    """What waits and this person may settle."""
    theirs = touched(adjudicator).order_by()
    led_to_theirs = Item.objects.filter(led_to__in=theirs).order_by()
    asked = still_open(**where).exclude(first__item__in=theirs.values("pk"))
    return asked.exclude(first__item__in=led_to_theirs.values("pk"))


def kept_from(reader: User, study: Study) -> QuerySet[Item]:
    """The items that this person is to settle a second time, and those that their answers led to."""
    asked = _as_adjudicator(reader).filter(first__item__batch__study=study).values("first__item")
    return Item.objects.filter(Q(pk__in=asked) | Q(came_from__in=asked))


def waits_for(reader: User, item: Item) -> bool:
    """Whether the item is kept from this person."""
    here = [item.pk, item.came_from_id or item.pk]
    return _as_adjudicator(reader).filter(first__item__in=here).exists()


def _as_adjudicator(reader: User) -> QuerySet[SecondAsked]:
    """What waits for this person where they are an adjudicator."""
    grants = RoleGrant.objects.filter(membership__user=reader, role=Role.ADJUDICATOR)
    return open_for(reader).filter(first__item__batch__study__in=grants.values("membership__study"))
