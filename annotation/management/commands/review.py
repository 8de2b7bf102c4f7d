from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from annotation.actions import reviewing
from annotation.commands import BatchCommand, judgement_of

YES_NO = {"yes": True, "no": False}


class Command(BatchCommand):
    help = "Decide whether the judgement of an assignment is paid and whether it is counted."
    expected: ClassVar = (reviewing.ReviewError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--assignment", required=True, metavar="ID")
        parser.add_argument("--paid", required=True, choices=YES_NO)
        parser.add_argument("--counted", required=True, choices=YES_NO)
        parser.add_argument("--reason", required=True, help="of both decisions")
        parser.add_argument("--counted-reason", help="where it is another one")
        parser.add_argument(
            "--ask-again", action="store_true", help="open the item for another judgement"
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        reason, counted_reason = options["reason"], options["counted_reason"]
        decision = reviewing.review(
            judgement=judgement_of(options["assignment"], options["study"]),
            is_paid=YES_NO[options["paid"]],
            is_counted=YES_NO[options["counted"]],
            paid_reason=reason,
            counted_reason=reason if counted_reason is None else counted_reason,
            by=options["by"],
            ask_again=options["ask_again"],
        )
        return {
            "assignment": options["assignment"],
            "is_paid": decision.is_paid,
            "is_counted": decision.is_counted,
        }
