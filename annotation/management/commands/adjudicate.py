from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from annotation.actions import reviews
from annotation.commands import BatchCommand, item_called, verdict_summary
from annotation.review_decisions import ReviewError


class Command(BatchCommand):
    help = "Adjudicate an item as an adjudicator (--by) who did not judge it."
    expected: ClassVar = (ReviewError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--item", required=True, metavar="ID")
        parser.add_argument("--label", required=True)
        parser.add_argument("--reason", required=True)

    def act(self, **options: Any) -> Mapping[str, Any]:
        verdict = reviews.adjudicate(
            item=item_called(options["item"], options["study"]),
            label=options["label"],
            reason=options["reason"],
            by=options["by"],
        )
        return verdict_summary(verdict)
