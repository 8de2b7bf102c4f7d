from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import StudyCommand
from exports.models import ComparedMeasure
from exports.primary_comparison import actions as primary_comparison_actions
from exports.primary_comparison import queries as primary_comparison_queries
from exports.primary_comparison.actions import PrimaryComparisonError
from sampling.commands import pool_named


class Command(StudyCommand):
    help = (
        "Name the primary comparison of a study: the differences of runs that it is to decide, "
        "before people judge."
    )
    expected: ClassVar = (PrimaryComparisonError,)
    named: ClassVar = (pool_named("the comparison of runs"),)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--measure", required=True, choices=ComparedMeasure.values, help="both is F+A"
        )
        parser.add_argument(
            "--pair",
            nargs=2,
            action="append",
            default=[],
            metavar=("RUN", "OTHER"),
            help="only these two runs; repeatable; default: all pairs",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        study = options["study"]
        primary_comparison_actions.name_primary(
            study=study,
            pool=options["pool"],
            measure=options["measure"],
            pairs=[(one, other) for one, other in options["pair"]],
            by=options["by"],
        )
        return primary_comparison_queries.primary_comparison(study) or {}
