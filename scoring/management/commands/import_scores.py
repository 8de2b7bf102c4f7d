from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import StudyCommand, existing_file
from corpus.commands import DATASET, plain
from corpus.models import Dataset
from corpus.problems import ImportProblems
from corpus.readers import ragas
from scoring.actions import ragas_scores, score_imports


class Command(StudyCommand):
    help = (
        "Import scores computed elsewhere: a CSV with the columns id, run and the metric's name, or the results"
        " of RAGAS."
    )
    expected: ClassVar = (ImportProblems, score_imports.ScoresChangedError)
    named: ClassVar = (DATASET,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE.csv", help="the scores (docs/formats.md)")
        parser.add_argument(
            "--metric",
            type=plain,
            help="the metric, and the name of its column; pools are drawn by sas; default: every"
            " metric of a file of RAGAS, required for others",
        )
        parser.add_argument(
            "--scorer",
            required=True,
            metavar="NAME",
            type=plain,
            help=(
                "the model or program that gave the scores; later scores of the same name are added"
            ),
        )
        parser.add_argument(
            "--leave-out-unknown",
            action="store_true",
            help=(
                "skip and count scores of unknown answers; default: refuse the file and list them"
            ),
        )

        parser.add_argument(
            "--format",
            choices=("scores", "ragas"),
            default="scores",
            help="of the file; ragas has user_input, response and a column for each metric",
        )
        parser.add_argument(
            "--run",
            default="",
            metavar="NAME",
            help="the run whose answers are in a file of RAGAS; default: its column run",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        path = existing_file(options["file"])
        dataset = options["dataset"]
        if options["format"] == "ragas":
            return self._ragas(path, dataset, options)
        if not options["metric"]:
            raise CommandError("name the --metric")
        if options["run"]:
            raise CommandError("--run is for files of RAGAS: others have a column run")
        imported = score_imports.save(
            dataset=dataset,
            metric=options["metric"],
            scorer=options["scorer"],
            records=score_imports.read(path, metric=options["metric"]),
            file=path.name,
            by=options["by"],
            leave_out_unknown=options["leave_out_unknown"],
        )
        return asdict(imported)

    def _ragas(self, path: Path, dataset: Dataset, options: Mapping[str, Any]) -> Mapping[str, Any]:
        if options["leave_out_unknown"]:
            raise CommandError("--leave-out-unknown is not for files of RAGAS")
        imported = ragas_scores.save(
            dataset=dataset,
            table=ragas.read(path, metric=options["metric"] or ""),
            scorer=options["scorer"],
            run=options["run"],
            by=options["by"],
        )
        return asdict(imported)
