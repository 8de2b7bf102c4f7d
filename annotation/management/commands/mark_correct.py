from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import Named
from annotation.actions import reviews
from annotation.commands import BatchCommand, judgement_of, verdict_summary
from annotation.review_decisions import ReviewError


class Command(BatchCommand):
    help = (
        "Adjudicate an item with the label of one judgement, as an adjudicator "
        "(--by) who did not judge it."
    )
    expected: ClassVar = (ReviewError,)
    named: ClassVar = (Named("--assignment", judgement_of, required=True, metavar="ID"),)

    def act(self, **options: Any) -> Mapping[str, Any]:
        return verdict_summary(
            reviews.mark_correct(judgement=options["assignment"], by=options["by"])
        )
