"""Actions on drafts: edit and discard."""

from typing import Any

from django.db import transaction
from django.db.models import ProtectedError

from accounts import permissions
from accounts.models import Role, User
from annotation import schemes
from annotation.actions import batches, checks, controls
from annotation.actions.batches import BatchError
from annotation.models import Batch, BatchState
from audit import events
from sampling.models import Pool


@transaction.atomic
def edit(
    *,
    batch: Batch,
    name: str,
    scheme: str,
    pool: Pool,
    guideline: str,
    by: User,
    check: str = "",
    **settings: Any,
) -> Batch:
    """Change a draft. `settings` are fields of Batch, as for batches.create().

    Another name is an event of its own, as that of an open batch: the history of a batch is found by its names.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    batches.lock_usable_pool(pool, schemes.get(scheme))
    _require_same_audience(batch, settings)
    draft = batches.locked_in_state(batch, BatchState.DRAFT)
    batches.require_free_name(draft.study, name, but=draft)
    before = draft.name
    fields = {
        "name": name,
        "scheme": scheme,
        "pool": pool,
        "is_rehearsal": pool.is_rehearsal,
        "guideline": batches.guideline_of(draft.study, scheme, guideline, by),
        "comprehension_check": checks.check_of(draft.study, check, by),
        **batches.with_defaults(settings, scheme),
    }
    controls.require_unchanged_screens(draft, fields)
    for field, value in fields.items():
        setattr(draft, field, value)
    draft.full_clean()
    batches.require_askable(draft)
    batches.require_future_deadline(draft)
    draft.save(update_fields=list(fields))
    if name != before:
        events.record(
            study=draft.study, by=by, verb="renamed", target=draft, before=before, after=name
        )
    events.record(study=draft.study, by=by, verb="changed", target=draft, pool=pool.name)
    return draft


def _require_same_audience(batch: Batch, settings: dict[str, Any]) -> None:
    """Raise BatchError if the batch has been opened and is to get another audience: its people have begun."""
    now = Batch.objects.filter(pk=batch.pk).exclude(state=BatchState.DRAFT).first()
    if now is not None and settings.get("qualification", now.qualification) != now.qualification:
        raise BatchError(
            f"the batch {now.name} is {now.state}: make another batch for another audience"
        )


@transaction.atomic
def discard(*, batch: Batch, by: User) -> None:
    """Delete a draft, with its control items. It has no other items, so no work is lost.

    Raises BatchError if it has a plan of analysis, or was open before and decisions of then refer to it.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    draft = batches.locked_in_state(batch, BatchState.DRAFT)
    if draft.analysis_plans.exists():
        raise BatchError(
            f"a plan of analysis is frozen for the draft {draft.name}, and stays with it: leave it as it is"
        )
    events.record(study=draft.study, by=by, verb="discarded", target=draft)
    try:
        controls.remove_all(draft)
        draft.delete()
    except ProtectedError as error:
        raise BatchError(
            f"the batch {draft.name} was open before, and what was decided in it then is kept with it:"
            " leave it as it is"
        ) from error
