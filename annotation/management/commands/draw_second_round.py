from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from accounts.commands import FormCommand, Named, Option
from annotation.actions import batches, second_rounds
from annotation.actions.batches import BatchError
from annotation.commands import BatchCommand, batch_called
from annotation.forms.second_rounds import SecondRoundForm
from annotation.models import BatchState
from annotation.review_decisions import ReviewError
from annotation.schemes.routing import Routes


class Command(FormCommand, BatchCommand):
    help = "Draw a second round of written answers, in which another person keeps or changes each, as a draft."
    expected: ClassVar = (BatchError, ReviewError)
    named: ClassVar = (
        Named("batch", batch_called, metavar="BATCH", help="the closed batch of the first round"),
    )
    form_class = SecondRoundForm
    form_options: ClassVar = {
        "name": Option(
            metavar="BATCH2",
            help="what to call the draft; the name of a second round that is there adds what is new to"
            " it, and excludes what no longer counts",
        ),
        "routes": Option(
            switches={
                "all": (
                    Routes.ALL,
                    "every answer; default: those whose ticked sentences are not consecutive",
                ),
                "unanswerable": (
                    Routes.UNANSWERABLE,
                    "besides these, where somebody said that the passage does not answer",
                ),
            }
        ),
        "seed": Option(help="of the order of the items of a new one; default: 1"),
    }

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.set_defaults(seed=None)
        parser.add_argument(
            "--open",
            action="store_true",
            help="open the draft at once, with the guideline and the settings of the first round",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        chosen = self.form(options).cleaned_data
        drawn = second_rounds.draw(
            first=options["batch"],
            name=chosen["name"],
            routes=Routes(chosen["routes"]),
            seed=chosen["seed"] if options["seed"] else None,
            by=options["by"],
        )
        if options["open"] and drawn.batch.state == BatchState.DRAFT:
            opened = batches.launch(batch=drawn.batch, by=options["by"])
            drawn = replace(drawn, batch=opened)
        return second_rounds.summary(drawn)
