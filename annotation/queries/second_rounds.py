"""Which batch may have a second round of its written answers, and which have one."""

from annotation import schemes
from annotation.models import Batch, BatchState
from annotation.models.batch import BatchQuerySet
from annotation.schemes import SchemeRole


def current_rounds(first: Batch) -> BatchQuerySet:
    """Return the second rounds of the batch that are not withdrawn: one at most."""
    return Batch.objects.not_withdrawn().filter(first_round=first)


def first_round_objection(batch: Batch) -> str:
    """Return why the batch has no second round; "" if it can have one, once it is closed."""
    if schemes.get(batch.scheme).role != SchemeRole.WRITING:
        return f"the batch {batch.name} has the scheme {batch.scheme}: only written answers have a second round"
    if batch.first_round_id is not None:
        return f"the batch {batch.name} is a second round itself"
    return batch.withdrawn_objection


def objection(batch: Batch) -> str:
    """Return why the batch cannot be the second round that it is; "" if it can, or is none."""
    first = batch.first_round
    if first is None:
        return ""
    if (batch.scheme, batch.pool_id) != (first.scheme, first.pool_id):
        return f"the batch {batch.name} is the second round of {first.name}: it keeps its scheme and its pool"
    return first.withdrawn_objection


def opening_objection(batch: Batch) -> str:
    """Return why the draft cannot be opened as the second round that it is; "" if it can, or is none."""
    first = batch.first_round
    if first is not None and first.state != BatchState.CLOSED:
        return f"the first round {first.name} is {first.state}: close it first, so that all of its answers are there"
    return objection(batch)


def return_objection(batch: Batch) -> str:
    """Return why the withdrawn batch cannot be brought back as a second round; "" if it can, or is none."""
    if batch.first_round_id is None:
        return ""
    first = Batch.objects.get(pk=batch.first_round_id)  # as it is now
    if withdrawn := first.withdrawn_objection:
        return withdrawn
    if other := current_rounds(first).exclude(pk=batch.pk).first():
        return f"the batch {first.name} has the second round {other.name} now: withdraw that first, or discard its draft"
    return ""
