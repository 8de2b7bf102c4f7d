from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import number, whole_number
from annotation.actions import double_adjudication
from annotation.commands import BatchCommand, batch_called
from annotation.review_decisions import ReviewError


class Command(BatchCommand):
    help = "Sample adjudications of a closed batch for a second, blind adjudication."
    expected: ClassVar = (ReviewError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--batch", required=True)
        parser.add_argument("--share", type=number(0, 1), default=0.1, help="above 0, up to 1")
        parser.add_argument("--seed", type=whole_number(0, 2**31 - 1), default=1)

    def act(self, **options: Any) -> Mapping[str, Any]:
        drawn = double_adjudication.draw(
            batch=batch_called(options["batch"], options["study"]),
            share=options["share"],
            seed=options["seed"],
            by=options["by"],
        )
        return {"n_adjudicated": drawn.n_adjudicated, "n_drawn": drawn.asked.count()}
