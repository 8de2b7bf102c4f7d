from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from annotation.actions import reviews
from annotation.commands import BatchCommand, judgement_of, verdict_summary
from annotation.review_decisions import ReviewError


class Command(BatchCommand):
    help = (
        "Adjudicate an item with the label of one judgement, as an adjudicator "
        "(--by) who did not judge it."
    )
    expected: ClassVar = (ReviewError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--assignment", required=True, metavar="ID")

    def act(self, **options: Any) -> Mapping[str, Any]:
        judgement = judgement_of(options["assignment"], options["study"])
        return verdict_summary(reviews.mark_correct(judgement=judgement, by=options["by"]))
