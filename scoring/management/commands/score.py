from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from activity.commands import JobCommand
from corpus.commands import add_dataset, dataset_called
from scoring.actions import starting
from scoring.commands import where_any_worker_finds_it
from scoring.thresholds import DEFAULT_SCORER


class Command(JobCommand):
    help = "Score the answers to a data set. What has a score already is not scored again."

    def add_options(self, parser: ArgumentParser) -> None:
        add_dataset(parser)
        parser.add_argument(
            "--metric",
            action="extend",
            nargs="+",
            choices=starting.METRICS,
            metavar="METRIC",
            help=f"which, one or more of {', '.join(starting.METRICS)};"
            f" default: {', '.join(starting.DEFAULT_METRICS)}",
        )
        parser.add_argument(
            "--scorer",
            default=DEFAULT_SCORER,
            metavar="MODEL",
            help="for sas: a sentence-transformers model (bi-encoder or cross-encoder), by folder or"
            " hub name",
        )
        parser.add_argument(
            "--bf16",
            action="store_true",
            help="for sas: compute in bfloat16, faster on a GPU, and a scorer of its own;"
            " default: float32",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        dataset = dataset_called(options["dataset"], options["study"])
        model = where_any_worker_finds_it(options["scorer"])
        results = []
        for metric in options["metric"] or starting.DEFAULT_METRICS:
            (job,) = starting.score(
                dataset=dataset,
                metrics=[metric],
                model=model,
                bf16=options["bf16"],
                by=options["by"],
            )
            results.append(dict(self.run(job, background=options["background"])))
        return {"dataset": str(dataset), "metrics": results}
