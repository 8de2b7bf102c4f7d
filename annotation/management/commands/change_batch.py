from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from annotation.actions import batches, open_batches
from annotation.commands import BATCH, BatchCommand, text_in


class Command(BatchCommand):
    help = (
        "Change an open or paused batch: name, guideline, largest share of one "
        "annotator, or number of judgements."
    )
    expected: ClassVar = (batches.BatchError,)
    named: ClassVar = (BATCH,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--name",
            help="the new name; not after the batch was settled, because pools and releases refer to it by name",
        )
        parser.add_argument(
            "--guideline", metavar="FILE.md", help="the text of the new version; UTF-8"
        )
        share = parser.add_mutually_exclusive_group()
        share.add_argument(
            "--largest-share",
            type=float,
            metavar="SHARE",
            help="largest share of the items for one annotator: .25 is a quarter",
        )
        share.add_argument("--no-largest-share", action="store_true", help="no limit")
        parser.add_argument(
            "--judgements", type=int, metavar="N", help="judgements of each item; more than now"
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        wanted: dict[str, Any] = {
            "name": options["name"],
            "judgements_per_item": options["judgements"],
            "guideline": text_in(options["guideline"]) if options["guideline"] else None,
        }
        wanted = {name: value for name, value in wanted.items() if value is not None}
        if options["no_largest_share"] or options["largest_share"] is not None:
            wanted["largest_share"] = options["largest_share"]
        if not wanted:
            raise CommandError("say what to change: --name, --guideline, --largest-share, …")
        batch = open_batches.change(batch=options["batch"], by=options["by"], **wanted)
        return {
            "batch": batch.name,
            "guideline_sha256": batch.guideline.sha256,
            "judgements_per_item": batch.judgements_per_item,
            "most_per_person": batch.most_per_person,
        }
