from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from annotation.actions import scai_review_codes
from annotation.commands import BatchCommand, item_called, judgement_of, verdict_summary
from annotation.management.review_options import YES_NO
from annotation.review_decisions import ReviewError

CODES_OF_JUDGEMENTS = (scai_review_codes.RANDOM, scai_review_codes.CORRECT)
CODES_OF_ITEMS = (scai_review_codes.CONFUSING, scai_review_codes.MALFORMED)


class Command(BatchCommand):
    help = "Review an assignment or an item by a code of the shared task."
    expected: ClassVar = (ReviewError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--code",
            required=True,
            choices=(*CODES_OF_JUDGEMENTS, *CODES_OF_ITEMS),
            help="random answer (the judgement does not count), correct answer (its item is"
            " adjudicated to its label), confusing answer (the item is excluded), malformed"
            " answer (the item is adjudicated as malformed)",
        )
        parser.add_argument(
            "--assignment", metavar="ID", help="required with random answer and correct answer"
        )
        parser.add_argument(
            "--item", metavar="ID", help="required with confusing answer and malformed answer"
        )
        parser.add_argument(
            "--paid",
            choices=YES_NO,
            help="required with random answer: payment is a separate decision",
        )
        parser.add_argument("--words", default="", help="further words for the reason")

    def act(self, **options: Any) -> Mapping[str, Any]:
        code, arguments = options["code"], {"by": options["by"], "words": options["words"]}
        needed = "assignment" if code in CODES_OF_JUDGEMENTS else "item"
        if options[needed] is None:
            raise CommandError(f"{code}: say also --{needed}")
        if needed == "assignment":
            return self._review_judgement(code, options, arguments)
        item = item_called(options["item"], options["study"])
        if code == scai_review_codes.MALFORMED:
            return verdict_summary(scai_review_codes.malformed_answer(item=item, **arguments))
        excluded = scai_review_codes.confusing_answer(item=item, **arguments)
        return {"item": options["item"], "is_excluded": excluded.is_excluded}

    def _review_judgement(
        self, code: str, options: Mapping[str, Any], arguments: dict[str, Any]
    ) -> Mapping[str, Any]:
        judgement = judgement_of(options["assignment"], options["study"])
        if code == scai_review_codes.CORRECT:
            return verdict_summary(
                scai_review_codes.correct_answer(judgement=judgement, by=options["by"])
            )
        if options["paid"] is None:
            raise CommandError(f"{code}: whether it is paid is a separate decision: say --paid")
        is_paid = YES_NO[options["paid"]]
        review = scai_review_codes.random_answer(judgement=judgement, is_paid=is_paid, **arguments)
        return {
            "assignment": options["assignment"],
            "is_paid": review.is_paid,
            "is_counted": review.is_counted,
        }
