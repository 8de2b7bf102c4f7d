from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from corpus.commands import add_dataset, dataset_called
from jobs.actions import jobs
from jobs.commands import JobCommand


class Command(JobCommand):
    help = (
        "Carry over runs, and verdicts on unchanged turns, from the previous version"
        " of a data set. An import of a new version does this already: use it for "
        "runs that were added to the previous version later."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        add_dataset(parser)

    def act(self, **options: Any) -> Mapping[str, Any]:
        dataset = dataset_called(options["dataset"], options["study"])
        job = jobs.start(
            study=options["study"],
            kind="carry_over",
            key=str(dataset),
            params={"dataset": dataset.pk},
            by=options["by"],
        )
        return self.run(job, background=options["background"])
