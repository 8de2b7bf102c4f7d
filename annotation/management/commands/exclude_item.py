from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from annotation.actions import reviews
from annotation.commands import BatchCommand, item_called
from annotation.review_decisions import ReviewError


class Command(BatchCommand):
    help = "Exclude an item from the results, or include it again."
    expected: ClassVar = (ReviewError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--item", required=True, metavar="ID")
        parser.add_argument("--reason", required=True)
        parser.add_argument("--readmit", action="store_true", help="take it in again")

    def act(self, **options: Any) -> Mapping[str, Any]:
        item = item_called(options["item"], options["study"])
        decide = reviews.readmit if options["readmit"] else reviews.exclude
        decision = decide(item=item, reason=options["reason"], by=options["by"])
        return {"item": options["item"], "is_excluded": decision.is_excluded}
