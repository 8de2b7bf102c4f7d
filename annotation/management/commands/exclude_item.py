from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from annotation.actions import reviews
from annotation.commands import ITEM, BatchCommand
from annotation.review_decisions import ReviewError


class Command(BatchCommand):
    help = "Exclude an item from the results, or include it again."
    expected: ClassVar = (ReviewError,)
    named: ClassVar = (ITEM,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--reason", required=True, help="1,000 characters at most")
        parser.add_argument("--readmit", action="store_true", help="include it again")

    def act(self, **options: Any) -> Mapping[str, Any]:
        decide = reviews.readmit if options["readmit"] else reviews.exclude
        decision = decide(**{name: options[name] for name in ("item", "reason", "by")})
        return {"item": str(options["item"].public_id), "is_excluded": decision.is_excluded}
