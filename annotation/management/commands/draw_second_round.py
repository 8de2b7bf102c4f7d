from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from accounts.commands import whole_number
from annotation.actions import batches, second_rounds
from annotation.actions.batches import BatchError
from annotation.commands import BatchCommand, batch_called
from annotation.models import BatchState
from annotation.review_decisions import ReviewError
from annotation.schemes.routing import Routes
from corpus.commands import plain


class Command(BatchCommand):
    help = "Draw a second round of written answers, in which another person keeps or changes each, as a draft."
    expected: ClassVar = (BatchError, ReviewError)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("batch", metavar="BATCH", help="the closed batch of the first round")
        parser.add_argument(
            "--name",
            required=True,
            metavar="BATCH2",
            type=plain,
            help="what to call the draft; the name of a second round that is there adds what is new to it",
        )
        which = parser.add_mutually_exclusive_group()
        which.add_argument(
            "--all",
            action="store_const",
            const=Routes.ALL,
            dest="routes",
            help="every answer; default: those whose ticked sentences are not consecutive",
        )
        which.add_argument(
            "--unanswerable",
            action="store_const",
            const=Routes.UNANSWERABLE,
            dest="routes",
            help="besides these, where somebody said that the passage does not answer",
        )
        parser.add_argument(
            "--seed",
            type=whole_number(0, 2**31 - 1),
            help="of the order of the items of a new one (default: 1)",
        )
        parser.add_argument(
            "--open",
            action="store_true",
            help="open the draft at once, with the guideline and the settings of the first round",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        drawn = second_rounds.draw(
            first=batch_called(options["batch"], options["study"]),
            name=options["name"],
            routes=options["routes"] or Routes.GAPS,
            seed=options["seed"],
            by=options["by"],
        )
        if options["open"] and drawn.batch.state == BatchState.DRAFT:
            opened = batches.launch(batch=drawn.batch, by=options["by"])
            drawn = replace(drawn, batch=opened)
        return second_rounds.summary(drawn)
