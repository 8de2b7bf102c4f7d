from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from activity.commands import StudyCommand
from annotation import tables
from annotation.commands import batch_called


class Command(StudyCommand):
    help = "List the items in dispute, most disputed first, as an adjudicator may see them."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--batch", required=True)

    def act(self, **options: Any) -> Mapping[str, Any]:
        found = tables.disputes(batch_called(options["batch"], options["study"]))
        return {"n_disputed": len(found), "disputes": [asdict(dispute) for dispute in found]}
