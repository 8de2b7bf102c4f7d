"""The life of a batch: draft, open, paused, closed."""

from datetime import datetime
from fractions import Fraction
from math import ceil
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.models import Role, Study, User
from annotation import schemes
from annotation.actions import items, locks
from annotation.actions.items import Screened
from annotation.design import pair_balance
from annotation.models import Batch, BatchState, Guideline
from annotation.schemes import Scheme, payloads
from audit import events
from sampling.models import Pool, Purpose


class BatchError(Exception):
    """The batch cannot be made or changed so; the message says why."""


def create_and_launch(
    *,
    study: Study,
    scheme: str,
    pool: Pool,
    by: User,
    guideline: str = "",
    ask_without_evidence: bool = False,
    **settings: Any,
) -> Batch:
    """Both or neither: where people cannot be let in, no draft keeps the name. As create() and launch()."""
    permissions.require(by, study, Role.REQUESTER)
    require_usable(pool, schemes.get(scheme))
    screened = items.screened(Batch(study=study, scheme=scheme, pool=pool, **settings))
    with transaction.atomic():
        draft = create(
            study=study, scheme=scheme, pool=pool, guideline=guideline, by=by, **settings
        )
        return _open(draft, screened, by, ask_without_evidence)


@transaction.atomic
def create(
    *,
    study: Study,
    name: str,
    scheme: str,
    pool: Pool,
    by: User,
    guideline: str = "",
    **settings: Any,
) -> Batch:
    """A draft on a pool. `settings` are fields of Batch: judgements_per_item, seed, grouping …"""
    permissions.require(by, study, Role.REQUESTER)
    require_usable(pool, schemes.get(scheme))
    settings["expected_seconds"] = (
        settings.get("expected_seconds") or schemes.get(scheme).expected_seconds
    )
    lock_study(study)
    if study.batches.filter(name=name).exists():
        raise BatchError(f"there is a batch {name} already in the study {study.slug}")
    batch = Batch(
        study=study,
        name=name,
        scheme=scheme,
        pool=pool,
        guideline=guideline_of(study, scheme, guideline, by),
        is_rehearsal=pool.is_rehearsal,
        created_by=by,
        **settings,
    )
    batch.full_clean()
    require_askable(batch)
    require_to_come(batch)
    batch.save()
    events.record(study=study, by=by, verb="created", target=batch, pool=pool.name, scheme=scheme)
    return batch


def guideline_of(study: Study, scheme: str, text: str, by: User) -> Guideline:
    """The study's guideline of this very text: a row never changes, so equal texts share one."""
    if "\0" in text:
        raise BatchError("the guideline holds a NUL character: it is not a text")
    guideline, _ = Guideline.objects.get_or_create(
        study=study,
        scheme=scheme,
        sha256=payloads.text_sha256(text),
        defaults={"text": text, "created_by": by},
    )
    return guideline


def purpose_of(scheme: Scheme) -> Purpose:
    """The kind of pool that the scheme asks about."""
    if scheme.role == schemes.SchemeRole.COMPARISON:
        return Purpose.COMPARISON
    return Purpose.EVIDENCE if scheme.shows_evidence else Purpose.ANSWERS


def require_usable(pool: Pool, scheme: Scheme) -> None:
    if pool.built_at is None:
        raise BatchError(f"the pool {pool.name} is still being built: wait for its job")
    wanted = purpose_of(scheme)
    if pool.purpose != wanted:
        raise BatchError(
            f"the scheme {scheme.name} needs a pool of {wanted.value};"
            f" {pool.name} is one of {pool.purpose}"
        )
    if not pool.candidates.exists():
        raise BatchError(f"the pool {pool.name} has no candidates: nothing to ask about")


def require_askable(batch: Batch) -> None:
    objection = pair_balance.objection(batch)
    if objection:
        raise BatchError(objection)


def require_to_come(batch: Batch) -> None:
    if batch.deadline_at is not None and batch.deadline_at <= timezone.now():
        raise BatchError(
            f"the deadline {batch.deadline_at.isoformat()} has passed: nobody could claim an item"
        )


def launch(*, batch: Batch, by: User, ask_without_evidence: bool = False) -> Batch:
    """Make the items and let people in. From here on the guideline and the pool are frozen."""
    permissions.require(by, batch.study, Role.REQUESTER)
    screened = items.screened(batch)
    with transaction.atomic():
        return _open(locked(batch, BatchState.DRAFT), screened, by, ask_without_evidence)


def _open(batch: Batch, screened: Screened, by: User, ask_without_evidence: bool) -> Batch:
    require_to_come(batch)
    n_items = items.make(batch, screened, by, ask_without_evidence=ask_without_evidence)
    if batch.largest_share is not None:
        # The share as it was written: .07 of 100 is 7, and 0.07 * 100 is a little more.
        batch.most_per_person = ceil(Fraction(str(batch.largest_share)) * n_items)
    batch.state = BatchState.OPEN
    batch.save(update_fields=["state", "most_per_person"])
    events.record(study=batch.study, by=by, verb="opened", target=batch, n_items=n_items)
    return batch


@transaction.atomic
def pause(*, batch: Batch, by: User) -> Batch:
    """No new claims; what is claimed can be submitted."""
    permissions.require(by, batch.study, Role.REQUESTER)
    return _change(batch, by, "paused", BatchState.PAUSED, BatchState.OPEN)


@transaction.atomic
def resume(*, batch: Batch, by: User) -> Batch:
    permissions.require(by, batch.study, Role.REQUESTER)
    return _change(batch, by, "resumed", BatchState.OPEN, BatchState.PAUSED)


@transaction.atomic
def close(*, batch: Batch, by: User) -> Batch:
    """No new claims; open claims can be submitted until they expire."""
    permissions.require(by, batch.study, Role.REQUESTER)
    batch = locked(batch, BatchState.OPEN, BatchState.PAUSED)
    batch.state, batch.closed_at, batch.closed_by = BatchState.CLOSED, timezone.now(), by
    batch.save(update_fields=["state", "closed_at", "closed_by"])
    events.record(study=batch.study, by=by, verb="closed", target=batch)
    return batch


@transaction.atomic
def reopen(*, batch: Batch, by: User) -> Batch:
    """Back to open, so that places opened again can be filled."""
    permissions.require(by, batch.study, Role.REQUESTER)
    batch = locked(batch, BatchState.CLOSED)
    batch.state, batch.closed_at, batch.closed_by = BatchState.OPEN, None, None
    batch.save(update_fields=["state", "closed_at", "closed_by"])
    events.record(study=batch.study, by=by, verb="reopened", target=batch)
    return batch


@transaction.atomic
def set_deadline(*, batch: Batch, deadline_at: datetime | None, by: User) -> Batch:
    """Hand out items until another time, or (None) without end. The same again changes nothing."""
    permissions.require(by, batch.study, Role.REQUESTER)
    batch = locked(batch, BatchState.OPEN, BatchState.PAUSED)
    before = batch.deadline_at
    if deadline_at == before:
        return batch
    batch.deadline_at = deadline_at
    require_to_come(batch)
    batch.save(update_fields=["deadline_at"])
    events.record(
        study=batch.study,
        by=by,
        verb="set the deadline",
        target=batch,
        before=_moment(before),
        after=_moment(deadline_at),
    )
    return batch


def _moment(at: datetime | None) -> str:
    return at.isoformat() if at else "none"


def _change(batch: Batch, by: User, verb: str, to: BatchState, *allowed: BatchState) -> Batch:
    batch = locked(batch, *allowed)
    batch.state = to
    batch.save(update_fields=["state"])
    events.record(study=batch.study, by=by, verb=verb, target=batch)
    return batch


def locked(batch: Batch, *allowed: BatchState) -> Batch:
    """The batch, fresh and locked, in one of the states allowed. Raises BatchError otherwise."""
    try:
        locked = locks.batch(batch.pk)
    except Batch.DoesNotExist as error:
        raise BatchError(f"the draft {batch.name} was discarded in this moment") from error
    if locked.state not in allowed:
        wanted = " or ".join(state.value for state in allowed)
        raise BatchError(f"the batch {locked.name} is {locked.state}, not {wanted}")
    return locked
