from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from activity.actions import jobs
from activity.commands import JobCommand
from corpus.commands import dataset_called
from scoring.commands import where_any_worker_finds_it
from scoring.models import Metric
from scoring.thresholds import DEFAULT_SCORER


class Command(JobCommand):
    help = "Score the answers to a data set. What has a score already is not scored again."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dataset", required=True, metavar="NAME")
        parser.add_argument(
            "--metric",
            action="extend",
            nargs="+",
            choices=Metric.values,
            help="default: all of them",
        )
        parser.add_argument(
            "--scorer",
            default=DEFAULT_SCORER,
            metavar="MODEL",
            help="for sas: a sentence-transformers model, by folder or hub name",
        )
        parser.add_argument("--bf16", action="store_true", help="for sas: compute in bfloat16")

    def act(self, **options: Any) -> Mapping[str, Any]:
        dataset = dataset_called(options["dataset"], options["study"])
        model = where_any_worker_finds_it(options["scorer"])
        results = []
        for metric in options["metric"] or Metric.values:
            scorer = model if metric == Metric.SAS else ""
            job = jobs.start(
                study=options["study"],
                kind="score",
                key=f"{dataset} {metric} {scorer}".strip()[-200:],
                params={
                    "dataset": dataset.pk,
                    "metric": metric,
                    "scorer": scorer,
                    "bf16": options["bf16"],
                },
                by=options["by"],
            )
            results.append(dict(self.run(job, background=options["background"])))
        return {"dataset": str(dataset), "metrics": results}
