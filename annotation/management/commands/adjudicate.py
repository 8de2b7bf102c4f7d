from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from annotation.actions import reviews, written_decisions
from annotation.commands import ITEM, BatchCommand, verdict_summary
from annotation.queries import written_pairs
from annotation.review_decisions import ReviewError


class Command(BatchCommand):
    help = (
        "Adjudicate an item as an adjudicator (--by) who did not judge it. Of a second round of written answers the"
        " label is first or second: the answer that stands."
    )
    expected: ClassVar = (ReviewError,)
    named: ClassVar = (ITEM,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--label", required=True)
        parser.add_argument("--reason", required=True, help="1,000 characters at most")

    def act(self, **options: Any) -> Mapping[str, Any]:
        item = options["item"]
        decision = {name: options[name] for name in ("label", "reason", "by")}
        if written_pairs.has_pairs(item.batch):
            made = written_decisions.decide(item=item, **decision)
            return {"item": str(item), "label": made.label, "response": made.response}
        return verdict_summary(reviews.adjudicate(item=item, **decision))
