"""The batches of a comparison that is released."""

from collections.abc import Sequence

from annotation.models import Batch, BatchState
from exports.comparison.errors import ComparisonError


def unfinished_batches(batches: Sequence[Batch], *, is_allowed: bool) -> list[str]:
    """Return the names of the batches that are not closed. Raises ComparisonError unless allowed."""
    names = sorted(batch.name for batch in batches if batch.state != BatchState.CLOSED)
    if names and not is_allowed:
        raise ComparisonError(
            f"people still judge in {', '.join(names)}: close what is open, or say that open batches"
            " are released as they are"
        )
    return names
