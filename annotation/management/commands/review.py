from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from activity.commands import StudyCommand
from annotation.actions import reviewing
from annotation.commands import assignment_called, said

YES_NO = {"yes": True, "no": False}


class Command(StudyCommand):
    help = "Decide whether the judgement of an assignment is paid and whether it is counted."
    expected: ClassVar = (reviewing.ReviewError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--assignment", required=True, metavar="ID")
        parser.add_argument("--paid", required=True, choices=YES_NO)
        parser.add_argument("--counted", required=True, choices=YES_NO)
        parser.add_argument("--reason", required=True, type=said, help="of both decisions")
        parser.add_argument("--counted-reason", help="where it is another one")
        parser.add_argument(
            "--ask-again", action="store_true", help="open the item for another judgement"
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        assignment = assignment_called(options["assignment"], options["study"])
        judgement = assignment.judgements.standing().last()
        if judgement is None:
            raise CommandError(f"the assignment {options['assignment']} has no judgement")
        decision = reviewing.review(
            judgement=judgement,
            is_paid=YES_NO[options["paid"]],
            is_counted=YES_NO[options["counted"]],
            paid_reason=options["reason"],
            counted_reason=options["counted_reason"] or options["reason"],
            by=options["by"],
        )
        if options["ask_again"]:
            reviewing.ask_again(item=assignment.item, by=options["by"])
        return {
            "assignment": options["assignment"],
            "is_paid": decision.is_paid,
            "is_counted": decision.is_counted,
        }
