from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from annotation.actions import batches
from annotation.commands import BatchCommand, batch_called


class Command(BatchCommand):
    help = "Resume a paused batch."
    expected: ClassVar = (batches.BatchError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--batch", required=True)

    def act(self, **options: Any) -> Mapping[str, Any]:
        batch = batch_called(options["batch"], options["study"])
        batch = batches.resume(batch=batch, by=options["by"])
        return {"batch": batch.name, "state": batch.state}
