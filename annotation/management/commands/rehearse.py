from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from annotation.actions import rehearsals
from annotation.commands import BatchCommand, batch_called


class Command(BatchCommand):
    help = "Let simulated annotators judge a whole batch. It stays marked as a rehearsal."
    expected: ClassVar = (rehearsals.RehearsalError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--batch", required=True)
        parser.add_argument("--annotators", type=int, default=6)
        parser.add_argument(
            "--accuracy",
            type=float,
            default=0.9,
            help="probability of the simulated true label; otherwise another label, at random",
        )
        parser.add_argument("--seed", type=int, default=1)

    def act(self, **options: Any) -> Mapping[str, Any]:
        rehearsed = rehearsals.rehearse(
            batch=batch_called(options["batch"], options["study"]),
            n_annotators=options["annotators"],
            accuracy=options["accuracy"],
            seed=options["seed"],
            by=options["by"],
        )
        return {"batch": options["batch"], **asdict(rehearsed)}
