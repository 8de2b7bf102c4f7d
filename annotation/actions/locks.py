"""The lock on a batch, which comes before those on cursors, assignments and items."""

from annotation.models import Batch


def batch(pk: int) -> Batch:
    """The batch with its study, fresh and locked.

    Not FOR UPDATE: whoever adds a row that points at the batch (its cursor, with a first claim) asks for the
    batch's key when they commit, while they hold items. FOR UPDATE would keep it from them, and who has
    the batch and waits for those items would wait for ever.
    """
    rows = Batch.objects.select_for_update(of=("self",), no_key=True).select_related("study")
    return rows.get(pk=pk)
