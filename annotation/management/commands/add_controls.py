from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from accounts.commands import existing_file, whole_number
from annotation.actions import controls
from annotation.actions.batches import BatchError
from annotation.commands import BatchCommand, batch_called
from annotation.forms.controls import MOST_AT_ONCE
from corpus.problems import ImportProblems


class Command(BatchCommand):
    help = "Add hidden control items to a batch, from a settled batch or from a file of keys."
    expected: ClassVar = (BatchError, controls.ControlError, ImportProblems)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("batch", metavar="BATCH")
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument(
            "--from", dest="source", metavar="BATCH2", help="closed and settled, of the same scheme"
        )
        source.add_argument(
            "--keys", metavar="FILE.csv", help="with the columns turn, answer, label, explanation"
        )
        parser.add_argument(
            "--n",
            type=whole_number(1, MOST_AT_ONCE),
            default=20,
            help="of --from, at most",
        )
        parser.add_argument(
            "--seed", type=whole_number(0, 2**31 - 1), default=1, help="of the draw of --from"
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        batch = batch_called(options["batch"], options["study"])
        if options["keys"]:
            path = existing_file(options["keys"])
            added = controls.add_from_file(batch=batch, path=path, by=options["by"])
        else:
            added = controls.add_from_batch(
                batch=batch,
                source=batch_called(options["source"], options["study"]),
                n=options["n"],
                seed=options["seed"],
                by=options["by"],
            )
        return {"batch": batch.name, **asdict(added)}
