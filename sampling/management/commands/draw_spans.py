from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from corpus.commands import plain
from jobs.commands import JobCommand
from sampling.actions import extracted_answers
from sampling.actions.pools import PoolError


class Command(JobCommand):
    help = (
        "Make runs of kind extracted of the sentences of a pool's evidence that equal no candidate, so that they"
        " are scored, drawn and judged as answers."
    )
    expected: ClassVar = (PoolError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--pool",
            required=True,
            metavar="POOL",
            type=plain,
            help="a pool of find_evidence or find_reference_evidence",
        )
        parser.add_argument(
            "--name",
            default=extracted_answers.DEFAULT_NAME,
            metavar="RUN",
            type=plain,
            help="what to call the run of the nearest sentence of each turn; that of the second is called"
            f" RUN 2, and so on; default: {extracted_answers.DEFAULT_NAME}",
        )
        parser.add_argument(
            "--most",
            type=int,
            metavar="N",
            help="maximum of sentences of a turn, the nearest to its answers first; default: all",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        pools = options["study"].pools.select_related("dataset__study", "study")
        pool = pools.filter(name=options["pool"]).first()
        if pool is None:
            raise PoolError(f"the study {options['study'].slug} has no pool {options['pool']}")
        job = extracted_answers.begin(
            pool=pool, name=options["name"], most=options["most"], by=options["by"]
        )
        return self.run(job, background=options["background"])
