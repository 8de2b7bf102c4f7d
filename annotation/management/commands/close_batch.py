from collections.abc import Mapping
from typing import Any, ClassVar

from annotation.actions import batches
from annotation.commands import BATCH, BatchCommand, state_summary


class Command(BatchCommand):
    help = "Close a batch: no new claims; open ones can be submitted until they expire."
    expected: ClassVar = (batches.BatchError,)
    named: ClassVar = (BATCH,)

    def act(self, **options: Any) -> Mapping[str, Any]:
        return state_summary(batches.close(batch=options["batch"], by=options["by"]))
