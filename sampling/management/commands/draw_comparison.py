from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import FormCommand, Option
from corpus.commands import DATASET
from jobs.actions import execution
from jobs.commands import StudyJobCommand
from sampling.actions import comparisons
from sampling.actions.pools import PoolError
from sampling.forms.comparisons import DrawComparisonForm


class Command(FormCommand, StudyJobCommand):
    help = (
        "Draw a pool for a comparison of runs: their answers to sampled questions, "
        "side by side, with passages."
    )
    expected: ClassVar = (PoolError,)
    named: ClassVar = (DATASET,)
    form_class = DrawComparisonForm
    form_options: ClassVar = {
        "name": Option(metavar="POOL"),
        "top": Option(help="maximum of retrieved passages shown; gold ones are all shown"),
        "n_questions": Option(
            "questions",
            help="number of questions, answerable or not; default: all that are eligible",
        ),
        "allocation": Option(default="proportional"),
        "answered_by": Option(default="all"),
        "keeps_without_passages": Option("keep-without-passages"),
        "seed": Option(default=1),
        "references": Option(
            default="on",
            switches={
                "without-references": (
                    "",
                    "leave out the reference answers, except those named by --runs",
                ),
                "first-reference": (
                    "first",
                    "of each question only the first reference answer; default: all",
                ),
            },
        ),
        "runs": Option(metavar="RUN"),
    }

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--preview",
            action="store_true",
            help="draw nothing: print the eligible questions and those to be drawn, by stratum",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        if options["setup"] == "gold" and options["top"] is not None:
            raise CommandError("--top: left out with gold passages, which are all shown")
        dataset = options["dataset"]
        rule = self.form(options, runs=list(dataset.runs.values_list("name", flat=True))).rule
        asked = {name: options[name] for name in ("study", "dataset", "by")} | {"rule": rule}
        if options["preview"]:
            return {"pool": None, **comparisons.outlook(**asked).counts}
        asked["name"] = options["name"]
        if comparisons.is_at_once(dataset, rule):
            pool, _ = comparisons.draw_comparison(**asked)
        else:  # with a beat, so that another worker can go on with it
            job = execution.run(comparisons.begin(**asked))
            pool = options["study"].pools.get(pk=job.result["pool_id"])
        return {"pool": pool.name, **pool.counts}
