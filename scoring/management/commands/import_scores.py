from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from accounts.commands import StudyCommand, existing_file
from corpus.commands import add_dataset, dataset_called, plain
from corpus.problems import ImportProblems
from scoring.actions import score_imports


class Command(StudyCommand):
    help = "Import scores computed elsewhere: a CSV with the columns id, run and the metric's name."
    expected: ClassVar = (ImportProblems, score_imports.ScoresChangedError)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE.csv", help="the scores (docs/formats.md)")
        add_dataset(parser)
        parser.add_argument(
            "--metric",
            required=True,
            type=plain,
            help="the metric, and the name of its column; pools are drawn by sas",
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

    def act(self, **options: Any) -> Mapping[str, Any]:
        path = existing_file(options["file"])
        imported = score_imports.save(
            dataset=dataset_called(options["dataset"], options["study"]),
            metric=options["metric"],
            scorer=options["scorer"],
            records=score_imports.read(path, metric=options["metric"]),
            file=path.name,
            by=options["by"],
            leave_out_unknown=options["leave_out_unknown"],
        )
        return asdict(imported)
