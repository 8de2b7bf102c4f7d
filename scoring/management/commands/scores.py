from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import StudyCommand
from corpus.commands import DATASET
from pages import spreadsheet
from scoring import latex
from scoring import presenter as scoring_presenter
from scoring.actions import run_measures, run_tables
from scoring.actions.run_measures import NothingToCountError
from scoring.denominators import Denominator

OVER = {"all": Denominator.ALL_TURNS, "evaluator": Denominator.AS_EVALUATOR}


class Command(StudyCommand):
    help = "Print the table of runs by scorers, with intervals: CSV, LaTeX or JSON."
    expected: ClassVar = (NothingToCountError,)
    named: ClassVar = (DATASET,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--metric",
            nargs="+",
            metavar="METRIC",
            help="only these, one or more, as score or import_scores names them; default: all that have scores",
        )
        parser.add_argument(
            "--over",
            choices=list(OVER),
            default="all",
            help=("turns of the means: all with a truth, or those of the shared task's evaluator"),
        )
        parser.add_argument(
            "--rankings",
            action="store_true",
            help="print the rank correlation of every two scorers instead",
        )
        parser.add_argument(
            "--latex",
            action="store_true",
            help="print LaTeX, for a paper (packages booktabs, fontenc with T1, textcomp); default: CSV",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        if options["latex"] and (options["rankings"] or options["json"]):
            other = "--rankings are" if options["rankings"] else "--json is"
            raise CommandError(f"{other} not LaTeX: leave one out")
        dataset = options["dataset"]
        scorers = run_measures.scorers(dataset)
        runs = list(run_tables.sorted_runs(dataset))
        if not (scorers and runs):
            raise NothingToCountError(f"the data set {dataset} has no runs with scores to count")
        denominator = OVER[options["over"]]
        comparison = run_tables.current_comparison(dataset, scorers, denominator, by=options["by"])
        if options["metric"]:
            scorers = [scorer for scorer in scorers if scorer.metric in options["metric"]]
            missing = set(options["metric"]) - {scorer.metric for scorer in scorers}
            if missing:
                raise CommandError(f"there are no scores of {', '.join(sorted(missing))}")
        table = run_tables.scores_table(dataset, scorers, denominator, comparison, runs)
        if options["rankings"]:
            own = {scorer.pk: run_tables.table_scorer(scorer) for scorer in scorers}
            pairs = [
                correlation
                for correlation in comparison.correlations
                if {correlation.one, correlation.other} <= own.keys()
            ]
            columns: Iterable[str] = scoring_presenter.CORRELATION_COLUMNS
            rows = list(scoring_presenter.correlation_rows(str(dataset), denominator, own, pairs))
        else:
            columns, rows = (
                scoring_presenter.FIGURE_COLUMNS,
                list(scoring_presenter.figure_rows(table)),
            )
        self.printed = (
            latex.table(table) if options["latex"] else "".join(spreadsheet.lines([*columns], rows))
        )
        return {"rows": [dict(zip(columns, row, strict=True)) for row in rows]}

    def lines(self, summary: Mapping[str, Any]) -> Iterator[str]:
        yield self.printed.rstrip("\n")
