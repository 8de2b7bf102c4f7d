from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from corpus.commands import add_dataset, dataset_called
from jobs.actions import jobs
from jobs.commands import JobCommand


class Command(JobCommand):
    help = (
        "Take along what was done on the version before: its runs, and the verdicts on turns that are the"
        " same. A new version does so when it is imported; this is for versions that were there before,"
        " and for runs that came to the version before since."
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
