"""Changes of a batch that people may be working in: its name, the largest share, the number of judgements."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, F, Q

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.models import Role, User
from annotation.actions import batches, guideline_versions
from annotation.actions.batches import BatchError
from annotation.models import (
    Batch,
    BatchState,
    Item,
    SetAside,
    Source,
    Verdict,
    limits,
)
from annotation.models.items import ItemQuerySet
from annotation.queries import batch_costs
from audit import events
from sampling import pay

AT_WORK = (BatchState.OPEN, BatchState.PAUSED)


@transaction.atomic
def rename(*, batch: Batch, name: str, by: User) -> Batch:
    """Give the batch another name. Random orders stay those of its first name. Does nothing if it is the same.

    Raises BatchError for a name that is taken, and once it was settled: pools and releases name it then.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    lock_study(batch.study)
    locked = batches.locked_in_state(batch, *AT_WORK)
    before = locked.name
    if name == before:
        return locked
    locked.first_name, locked.name = locked.lot_name, name
    _clean(locked, "name")
    batches.require_free_name(locked.study, name, but=locked)
    settled = Verdict.objects.filter(item__batch=locked)
    if settled.exclude(set_aside_reason=SetAside.NO_EVIDENCE).exists():
        raise BatchError(
            f"the batch {before} has been settled: pools and releases refer to it by its name"
        )
    locked.save(update_fields=["name", "first_name"])
    events.record(
        study=locked.study, by=by, verb="renamed", target=locked, before=before, after=name
    )
    return locked


@transaction.atomic
def set_largest_share(*, batch: Batch, largest_share: float | None, by: User) -> Batch:
    """Set the share of the items that one person may take; None for no limit. Does nothing if it is the same.

    Who has taken more already keeps what they hold, and is handed nothing more.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    locked = batches.locked_in_state(batch, *AT_WORK)
    before = locked.most_per_person
    if largest_share == locked.largest_share:
        return locked
    locked.largest_share = largest_share
    _clean(locked, "largest_share")
    locked.most_per_person = batches.most_per_person(largest_share, locked.items.real().count())
    locked.save(update_fields=["largest_share", "most_per_person"])
    events.record(
        study=locked.study,
        by=by,
        verb="set the largest share of",
        target=locked,
        before=before,
        after=locked.most_per_person,
    )
    return locked


def _clean(batch: Batch, field: str) -> None:
    """Raise BatchError if the field's value is not valid."""
    try:
        batch.clean_fields(exclude=[each.name for each in Batch._meta.fields if each.name != field])
    except ValidationError as error:
        raise BatchError("; ".join(error.messages)) from error


@dataclass(frozen=True)
class Increase:
    """What more judgements of each item would ask for; `price` is None if the batch is unpaid."""

    judgements_per_item: int
    n_items: int
    n_judgements: int
    price: pay.Money | None
    time: str


def increase(batch: Batch, judgements_per_item: int, *, seconds: float | None = None) -> Increase:
    """The judgements that raising the number would ask for now, without those of excluded items.

    `seconds` are those of a judgement, if they are known: batch_costs.seconds_of_judgement.
    """
    wanted = _items_below(batch, judgements_per_item).filter(is_excluded=False)
    counts = dict(wanted.order_by().values_list("n_wanted").annotate(n=Count("pk")))
    n = sum((judgements_per_item - (n_wanted or 0)) * n for n_wanted, n in counts.items())
    seconds = seconds or batch_costs.seconds_of_judgement(batch)
    return Increase(
        judgements_per_item=judgements_per_item,
        n_items=sum(counts.values()),
        n_judgements=n,
        price=batch.price and batch.price.times(n),
        time=pay.work_time(pay.hours(n, seconds)),
    )


@transaction.atomic
def raise_judgements(*, batch: Batch, judgements_per_item: int, by: User) -> Batch:
    """Ask for more judgements of each item. Does nothing if it is the same number; raises BatchError for fewer.

    An item that asks for as many already, by rounds of further judgements, gets none. Neither does one that
    an adjudicator decided or that was set aside without evidence. An excluded item gets its places, which are
    handed out once it is readmitted.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    locked = batches.locked_in_state(batch, *AT_WORK)
    before = locked.judgements_per_item
    if judgements_per_item == before:
        return locked
    if judgements_per_item < before:
        raise BatchError(
            f"{before} judgements of each item are asked for: the number can be raised, not lowered"
        )
    _require_possible(locked, judgements_per_item)
    items = _items_below(locked, judgements_per_item)
    pks = list(items.order_by("pk").locked().values_list("pk", flat=True))
    n_more = increase(locked, judgements_per_item).n_judgements
    items.update(
        n_open=F("n_open") + judgements_per_item - F("n_wanted"), n_wanted=judgements_per_item
    )
    locked.judgements_per_item = judgements_per_item
    locked.save(update_fields=["judgements_per_item"])
    events.record(
        study=locked.study,
        by=by,
        verb="raised the judgements of",
        target=locked,
        before=before,
        after=judgements_per_item,
        n_items=len(pks),
        n_judgements=n_more,
    )
    return locked


def _require_possible(batch: Batch, judgements_per_item: int) -> None:
    if batch.is_rehearsal:
        raise BatchError(f"the batch {batch.name} is a rehearsal: nobody real is asked")
    try:
        limits.require_judgements(judgements_per_item)
    except ValidationError as error:
        raise BatchError("; ".join(error.messages)) from error


def _items_below(batch: Batch, judgements_per_item: int) -> ItemQuerySet:
    """The batch's items that ask for fewer judgements and are not decided for good."""
    decided = Verdict.objects.current().filter(
        Q(source=Source.ADJUDICATION) | Q(set_aside_reason=SetAside.NO_EVIDENCE),
        item__batch=batch,
    )
    below = Item.objects.real().filter(batch=batch, n_wanted__lt=judgements_per_item)
    return below.exclude(pk__in=decided.values("item"))


@transaction.atomic
def change(*, batch: Batch, by: User, **wanted: Any) -> Batch:
    """Make several changes, or none of them: `name`, `guideline` (a text), `largest_share`, `judgements_per_item`.

    Each that changes something is an event of its own.
    """
    acts: dict[str, Callable[..., Batch]] = {
        "name": rename,  # first: it locks the study, which comes before batches
        "guideline": guideline_versions.change,
        "largest_share": set_largest_share,
        "judgements_per_item": raise_judgements,
    }
    for field in sorted(wanted, key=list(acts).index):
        argument = "text" if field == "guideline" else field
        batch = acts[field](batch=batch, by=by, **{argument: wanted[field]})
    return batch
