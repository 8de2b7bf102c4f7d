from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from annotation.actions import batches
from annotation.commands import BATCH, BatchCommand, deadline, state_summary


class Command(BatchCommand):
    help = "Change or remove the deadline of an open or paused batch."
    expected: ClassVar = (batches.BatchError,)
    named: ClassVar = (BATCH,)

    def add_options(self, parser: ArgumentParser) -> None:
        when = parser.add_mutually_exclusive_group(required=True)
        when.add_argument(
            "--deadline",
            metavar="TIME",
            help="no new claims after this time: 2026-12-31T18:00, in UTC unless it names its"
            " time zone",
        )
        when.add_argument(
            "--none", action="store_true", help="instead of a time: hand out items without end"
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        batch = batches.set_deadline(
            batch=options["batch"],
            deadline_at=deadline(options["deadline"]),
            by=options["by"],
        )
        at = batch.deadline_at
        return {**state_summary(batch), "deadline": at.isoformat() if at else ""}
