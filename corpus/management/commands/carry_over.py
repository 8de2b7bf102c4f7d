from collections.abc import Mapping
from typing import Any, ClassVar

from corpus.commands import DATASET
from jobs.actions import jobs
from jobs.commands import JobCommand


class Command(JobCommand):
    help = (
        "Carry over runs, and verdicts on unchanged turns, from the previous version"
        " of a data set. An import of a new version does this already: use it for "
        "runs that were added to the previous version later."
    )
    named: ClassVar = (DATASET,)

    def act(self, **options: Any) -> Mapping[str, Any]:
        dataset = options["dataset"]
        job = jobs.start(
            study=options["study"],
            kind="carry_over",
            key=str(dataset),
            params={"dataset": dataset.pk},
            by=options["by"],
        )
        return self.run(job, background=options["background"])
