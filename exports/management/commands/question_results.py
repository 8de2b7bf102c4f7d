from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts import permissions
from accounts.commands import StudyCommand
from accounts.models import Role
from corpus.commands import DATASET
from exports.question_results import latex, queries
from exports.question_results.cuts import CUTS, Choice, CutError, cuts_of
from exports.question_results.queries import Source
from pages import spreadsheet


class Command(StudyCommand):
    help = "Print means of scores cut by type, section, run and so on, with intervals over documents or conversations."
    expected: ClassVar = (CutError,)
    named: ClassVar = (DATASET,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--cut",  # --by says who does it, as of every command
            default="",
            metavar="A,B,C",
            help=f"one to four of {', '.join(CUTS)}; in LaTeX the last one makes the columns; required without"
            " --differences",
        )
        parser.add_argument(
            "--measure",
            required=True,
            metavar="NAME",
            help="the metric, as score or import_scores names it",
        )
        parser.add_argument(
            "--evaluator",
            default="",
            metavar="NAME",
            help="only scores of this scorer; default: the one that has any; needed if several have, and"
            " evaluator is no cut",
        )
        parser.add_argument(
            "--differences",
            nargs=2,
            metavar=("FIRST", "SECOND"),
            help="instead of means print the answers on whose scores these two scorers differ, as CSV, the greatest"
            " differences first",
        )
        parser.add_argument(
            "--latex",
            action="store_true",
            help="print LaTeX, for a paper (packages booktabs, fontenc with T1, textcomp, xcolor); default: CSV",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        if options["latex"] and options["json"]:
            raise CommandError("--json is not LaTeX: leave one out")
        permissions.require_reader(options["by"], options["study"], Role.REQUESTER)
        source = queries.source(options["dataset"])
        if options["differences"]:
            return self._differences(source, options)
        if not options["cut"]:
            raise CommandError("name what to --cut by, or the two scorers of --differences")
        by = cuts_of(options["cut"], source.cuts)
        found = queries.results(source, Choice(by, options["measure"], options["evaluator"]))
        rows = list(found.csv_rows())
        self.printed = (
            latex.table(found)
            if options["latex"]
            else "".join(spreadsheet.lines(found.csv_columns, rows))
        )
        return {
            "rows": [dict(zip(found.csv_columns, row, strict=True)) for row in rows],
            "n_not_scored": found.n_not_scored,
        }

    def _differences(self, source: Source, options: Mapping[str, Any]) -> Mapping[str, Any]:
        if options["cut"] or options["evaluator"] or options["latex"]:
            raise CommandError("--differences goes with --measure alone")
        first, second = options["differences"]
        found = queries.differences(source, options["measure"], (first, second))
        rows = list(found.csv_rows())
        self.printed = "".join(spreadsheet.lines(found.csv_columns, rows))
        return {
            "rows": [dict(zip(found.csv_columns, row, strict=True)) for row in rows],
            "n_both": found.n_both,
        }

    def lines(self, summary: Mapping[str, Any]) -> Iterator[str]:
        yield self.printed.rstrip("\n")
