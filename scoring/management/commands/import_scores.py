from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from accounts.commands import FormCommand, Option, StudyCommand, existing_file
from corpus.commands import DATASET
from corpus.problems import ImportProblems
from corpus.readers import ragas
from scoring.actions import ragas_scores, score_imports
from scoring.forms import RAGAS, ImportForm


class ScoresForm(ImportForm):
    file = None  # type: ignore[assignment]  # Django leaves the field out: the command has a path


class Command(FormCommand, StudyCommand):
    help = (
        "Import scores computed elsewhere: a CSV with the columns id, run and the metric's name, or the results"
        " of RAGAS."
    )
    expected: ClassVar = (ImportProblems, score_imports.ScoresChangedError)
    named: ClassVar = (DATASET,)
    form_class = ScoresForm
    form_options: ClassVar = {
        "dataset": None,
        "scorer": Option(metavar="NAME"),
        "run": Option(metavar="NAME"),
    }

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE.csv", help="the scores (docs/formats.md)")
        super().add_options(parser)

    def act(self, **options: Any) -> Mapping[str, Any]:
        path, dataset = existing_file(options["file"]), options["dataset"]
        asked = self.form(options, {"dataset": dataset.pk}, study=options["study"]).cleaned_data
        saved = {"dataset": dataset, "scorer": asked["scorer"], "by": options["by"]}
        if asked["format"] == RAGAS:
            table = ragas.read(path, metric=asked["metric"])
            return asdict(ragas_scores.save(table=table, run=asked["run"], **saved))
        imported = score_imports.save(
            metric=asked["metric"],
            records=score_imports.read(path, metric=asked["metric"]),
            file=path.name,
            leave_out_unknown=asked["leave_out_unknown"],
            **saved,
        )
        return asdict(imported)
