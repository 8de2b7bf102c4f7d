"""The states of a batch: draft, open, paused, closed."""

from datetime import datetime
from fractions import Fraction
from itertools import count
from math import ceil
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.errors import ActionError
from accounts.models import Role, Study, User
from annotation import schemes
from annotation.actions import checks, items, locks, pause_rows
from annotation.actions.items import PreparedScreens
from annotation.design import items_ahead, pair_balance
from annotation.models import Batch, BatchState, Guideline
from annotation.queries import (
    audience,
    batch_progress,
    own_controls,
    own_repeats,
    second_rounds,
    training,
    training_attempts,
)
from annotation.schemes import Scheme, payloads
from audit import events
from corpus.models import Dataset
from sampling.models import OF_QUESTIONS, Pool, Purpose


class BatchError(ActionError):
    """The batch cannot be created or changed in this way; the message says why."""


def create_and_launch(
    *,
    study: Study,
    scheme: str,
    pool: Pool,
    by: User,
    guideline: str = "",
    check: str = "",
    ask_without_evidence: bool = False,
    **settings: Any,
) -> Batch:
    """create() and launch() in one transaction: if launching fails, no draft is left."""
    permissions.require(by, study, Role.REQUESTER)
    require_usable_pool(pool, schemes.get(scheme))
    screened = items.prepared_screens(Batch(study=study, scheme=scheme, pool=pool, **settings))
    with transaction.atomic():
        draft = create(
            study=study,
            scheme=scheme,
            pool=pool,
            guideline=guideline,
            check=check,
            by=by,
            **settings,
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
    check: str = "",
    **settings: Any,
) -> Batch:
    """Create a draft on a pool. `settings` are fields of Batch: judgements_per_item, seed, grouping …

    `check` are questions of a check of the guideline, as check_questions.read() takes them. Raises BatchError,
    CheckError.

    Without a `prefetch_depth` people hold about ten minutes of work.
    """
    permissions.require(by, study, Role.REQUESTER)
    settings = with_defaults(settings, scheme)
    lock_usable_pool(pool, schemes.get(scheme))
    require_free_name(study, name)
    first_round: Batch | None = settings.get("first_round")
    batch = Batch(
        study=study,
        name=name,
        scheme=scheme,
        pool=pool,
        guideline=guideline_of(study, scheme, guideline, by),
        comprehension_check=checks.check_of(study, check, by),
        # Nobody real changes what simulated people wrote.
        is_rehearsal=pool.is_rehearsal or (first_round is not None and first_round.is_rehearsal),
        created_by=by,
        **settings,
    )
    batch.full_clean()
    require_askable(batch)
    require_future_deadline(batch)
    batch.save()
    events.record(study=study, by=by, verb="created", target=batch, pool=pool.name, scheme=scheme)
    return batch


def with_defaults(settings: dict[str, Any], scheme: str) -> dict[str, Any]:
    """The settings of a draft with those that follow from others, where they are missing or None."""
    settings = dict(settings)
    settings["expected_seconds"] = (
        settings.get("expected_seconds") or schemes.get(scheme).expected_seconds
    )
    if not settings.get("prefetch_depth"):
        claim_seconds = settings.get("claim_seconds", Batch.claim_seconds.field.default)
        settings["prefetch_depth"] = items_ahead.default_depth(
            settings["expected_seconds"], claim_seconds
        )
    return settings


def require_free_name(study: Study, name: str, *, but: Batch | None = None) -> None:
    """Raise BatchError if another batch of the study has the name, or had it first."""
    others = study.batches.exclude(pk=but.pk) if but else study.batches.all()
    found = list(others.filter(Q(name=name) | Q(first_name=name)))
    same = next((each for each in found if each.name == name), None)
    if same is not None and same.is_withdrawn:
        raise BatchError(
            f"the withdrawn batch {name} has this name: {_free_name(study, name)} is free"
        )
    if same is not None:
        raise BatchError(f"there is a batch {name} already in the study {study.slug}")
    if found:
        raise BatchError(f"{name} is what the batch {found[0].name} was called before")


def _free_name(study: Study, name: str) -> str:
    """The name with the first number from 2 that makes it one which no batch of the study has or had."""
    taken = {each for names in study.batches.values_list("name", "first_name") for each in names}
    return next(each for n in count(2) if (each := f"{name}-{n}") not in taken)


def guideline_of(study: Study, scheme: str, text: str, by: User) -> Guideline:
    """The study's guideline with exactly this text. A row never changes, so equal texts share one."""
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
    if scheme.role == schemes.SchemeRole.RELATION:
        return Purpose.PAIRS
    if scheme.role == schemes.SchemeRole.WRITING:
        return Purpose.WRITING
    if scheme.role == schemes.SchemeRole.CURATION:
        return Purpose.CURATION
    return Purpose.EVIDENCE if scheme.shows_evidence else Purpose.ANSWERS


def require_usable_pool(pool: Pool, scheme: Scheme) -> None:
    if pool.withdrawn_objection:
        raise BatchError(pool.withdrawn_objection)
    if pool.built_at is None:
        raise BatchError(f"the pool {pool.name} is still being built: wait for its job")
    purpose = purpose_of(scheme)
    if pool.purpose != purpose:
        raise BatchError(
            f"the scheme {scheme.name} needs a pool of {purpose.value};"
            f" {pool.name} is one of {pool.purpose}"
        )
    asked = pool.passages if purpose in OF_QUESTIONS else pool.candidates
    if not asked.exists():
        what = "passages" if purpose in OF_QUESTIONS else "candidates"
        raise BatchError(f"the pool {pool.name} has no {what}: nothing to ask about")


def lock_usable_pool(pool: Pool, scheme: Scheme) -> None:
    """Lock the study, under which pools are withdrawn and deleted, and look at the pool as it is then."""
    lock_study(pool.study)
    current = Pool.objects.select_related("dataset").filter(pk=pool.pk).first()
    if current is None:
        raise BatchError(f"the pool {pool.name} was deleted in this moment")
    require_usable_pool(current, scheme)


def require_askable(batch: Batch) -> None:
    objection = (
        pair_balance.objection(batch)
        or audience.objection(batch)
        or training.objection(batch)
        or own_controls.objection(batch)
        or own_repeats.objection(batch)
        or second_rounds.objection(batch)
    )
    if objection:
        raise BatchError(objection)


def require_future_deadline(batch: Batch) -> None:
    if batch.deadline_at is not None and batch.deadline_at <= timezone.now():
        raise BatchError(
            f"the deadline {batch.deadline_at.isoformat()} has passed: nobody could claim an item"
        )


def launch(*, batch: Batch, by: User, ask_without_evidence: bool = False) -> Batch:
    """Create the items and open the batch. From here on the pool is frozen, and so is what annotators are shown
    but for the guideline, which can get new versions.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    screened = items.prepared_screens(batch)
    with transaction.atomic():
        lock_study(batch.study)  # so that nobody is paused in the whole study at the same time
        return _open(locked_in_state(batch, BatchState.DRAFT), screened, by, ask_without_evidence)


def _open(batch: Batch, screened: PreparedScreens, by: User, ask_without_evidence: bool) -> Batch:
    require_future_deadline(batch)
    n_items = items.make_items(batch, screened, by, ask_without_evidence=ask_without_evidence)
    if batch.is_training:
        n_items = training_attempts.items_of(batch).count()
        if not n_items:
            raise BatchError(
                f"the training {batch.name} has no items: add control items to its draft, or name a file of keys"
            )
    # The first round was withdrawn or opened again meanwhile.
    if objection := second_rounds.opening_objection(batch):
        raise BatchError(objection)
    if batch.first_round_id is not None and not n_items:
        raise BatchError(f"no answer of {batch.first_round} is routed to {batch.name} any more")
    batch.most_per_person = most_per_person(batch.largest_share, n_items)
    batch.state = BatchState.OPEN
    batch.save(update_fields=["state", "most_per_person"])
    pause_rows.carry_study_pauses(batch)
    events.record(study=batch.study, by=by, verb="opened", target=batch, n_items=n_items)
    return batch


def most_per_person(largest_share: float | None, n_items: int) -> int | None:
    """The most items that one person may take of a batch; None for no limit.

    The share as it was written: .07 of 100 is 7, and 0.07 * 100 is a little more.
    """
    return None if largest_share is None else ceil(Fraction(str(largest_share)) * n_items)


@transaction.atomic
def pause(*, batch: Batch, by: User) -> Batch:
    """Stop new claims; open claims can still be submitted."""
    permissions.require(by, batch.study, Role.REQUESTER)
    return _change(batch, by, "paused", BatchState.PAUSED, BatchState.OPEN)


@transaction.atomic
def resume(*, batch: Batch, by: User) -> Batch:
    permissions.require(by, batch.study, Role.REQUESTER)
    return _change(batch, by, "resumed", BatchState.OPEN, BatchState.PAUSED)


@transaction.atomic
def close(*, batch: Batch, by: User) -> Batch:
    """Stop new claims; open claims can still be submitted until they expire.

    The event says how many judgements are missing then: plans of analysis say when people stop.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    batch = locked_in_state(batch, BatchState.OPEN, BatchState.PAUSED)
    (line,) = batch_progress.batch_lines([batch])
    batch.state, batch.closed_at, batch.closed_by = BatchState.CLOSED, timezone.now(), by
    batch.save(update_fields=["state", "closed_at", "closed_by"])
    n_missing = line.n_wanted - line.n_counted
    events.record(study=batch.study, by=by, verb="closed", target=batch, n_missing=n_missing)
    return batch


@transaction.atomic
def reopen(*, batch: Batch, by: User) -> Batch:
    """Open a closed batch again, so that reopened places can be filled."""
    permissions.require(by, batch.study, Role.REQUESTER)
    batch = locked_in_state(batch, BatchState.CLOSED)
    # Not the study: who asks for more judgements holds the batch already, and others lock the study before it.
    rows = Dataset.objects.select_for_update(of=("self",), no_key=True)
    dataset = rows.get(pools=batch.pool_id)
    if objection := batch.withdrawn_objection or dataset.withdrawn_objection:
        raise BatchError(objection)
    batch.state, batch.closed_at, batch.closed_by = BatchState.OPEN, None, None
    batch.save(update_fields=["state", "closed_at", "closed_by"])
    events.record(study=batch.study, by=by, verb="reopened", target=batch)
    return batch


@transaction.atomic
def set_deadline(*, batch: Batch, deadline_at: datetime | None, by: User) -> Batch:
    """Set the time until which items are handed out; None for no deadline. Does nothing if it is the same."""
    permissions.require(by, batch.study, Role.REQUESTER)
    batch = locked_in_state(batch, BatchState.OPEN, BatchState.PAUSED)
    before = batch.deadline_at
    if deadline_at == before:
        return batch
    batch.deadline_at = deadline_at
    require_future_deadline(batch)
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
    batch = locked_in_state(batch, *allowed)
    batch.state = to
    batch.save(update_fields=["state"])
    events.record(study=batch.study, by=by, verb=verb, target=batch)
    return batch


def locked_in_state(batch: Batch, *allowed: BatchState) -> Batch:
    """The batch, reloaded and locked. Raises BatchError unless it is in one of the allowed states."""
    try:
        locked = locks.locked_batch(batch.pk)
    except Batch.DoesNotExist as error:
        raise BatchError(f"the draft {batch.name} was discarded in this moment") from error
    if locked.state not in allowed:
        expected = " or ".join(state.value for state in allowed)
        raise BatchError(f"the batch {locked.name} is {locked.state}, not {expected}")
    return locked
