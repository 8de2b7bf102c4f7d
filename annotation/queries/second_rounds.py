"""Which batch may have a second round of its written answers, and which have one."""

from annotation import schemes
from annotation.models import Batch
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
    if batch.is_rehearsal:
        return f"the batch {batch.name} is a rehearsal: nobody real wrote its answers"
    return batch.withdrawn_objection


def objection(batch: Batch) -> str:
    """Return why the batch cannot be the second round that it is; "" if it can, or is none."""
    first = batch.first_round
    if first is None:
        return ""
    if (batch.scheme, batch.pool_id) != (first.scheme, first.pool_id):
        return f"the batch {batch.name} is the second round of {first.name}: it keeps its scheme and its pool"
    return first.withdrawn_objection
