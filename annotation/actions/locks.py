"""The lock on a batch, taken before those on cursors, assignments and items."""

from annotation.models import Batch
from performance.compiled_queries import Compiled

LOCKED_BATCH = Compiled(
    lambda *, pk: (
        Batch.objects.filter(pk=pk)
        .select_for_update(of=("self",), no_key=True)
        .select_related("study")
    )
)


def locked_batch(pk: int) -> Batch:
    """The batch with its study, reloaded and locked.

    FOR NO KEY UPDATE: a transaction that inserts a row with a foreign key to the batch (a cursor, with a first
    claim) takes a key share lock on the batch at commit, while it holds items. With FOR UPDATE it would wait for
    the holder of the batch, which waits for those items: a deadlock.
    """
    return LOCKED_BATCH.get(pk=pk)
