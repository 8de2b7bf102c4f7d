from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from annotation.actions import batches
from annotation.commands import BatchCommand, batch_called, deadline


class Command(BatchCommand):
    help = "Change or remove the deadline of an open or paused batch."
    expected: ClassVar = (batches.BatchError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--batch", required=True)
        when = parser.add_mutually_exclusive_group(required=True)
        when.add_argument(
            "--deadline",
            metavar="TIME",
            help=(
                "no new claims after this time: 2026-12-31T18:00, in UTC unless it names its"
                " time zone"
            ),
        )
        when.add_argument("--none", action="store_true", help="hand out items without end")

    def act(self, **options: Any) -> Mapping[str, Any]:
        batch = batches.set_deadline(
            batch=batch_called(options["batch"], options["study"]),
            deadline_at=deadline(options["deadline"]),
            by=options["by"],
        )
        at = batch.deadline_at
        return {"batch": batch.name, "state": batch.state, "deadline": at.isoformat() if at else ""}
