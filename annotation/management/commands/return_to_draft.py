from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from annotation.actions import batches, returned_drafts
from annotation.commands import BatchCommand, batch_called


class Command(BatchCommand):
    help = "Return a batch without judgements or decisions to draft."
    expected: ClassVar = (batches.BatchError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--batch", required=True)
        parser.add_argument(
            "--expire-claims", action="store_true", help="release the items that people still hold"
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        try:
            batch = returned_drafts.return_to_draft(
                batch=batch_called(options["batch"], options["study"]),
                expire_claims=options["expire_claims"],
                by=options["by"],
            )
        except returned_drafts.HeldItemsError as error:
            raise CommandError(f"{error}, or release them with --expire-claims") from error
        return {"batch": batch.name, "state": batch.state}
