from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from annotation.actions import analysis_plans
from annotation.commands import BATCH_FIRST, BatchCommand, text_to_the_letter


class Command(BatchCommand):
    help = (
        "Freeze the plan of analysis of a batch: its text, hash and time, which releases publish."
    )
    expected: ClassVar = (analysis_plans.PlanError,)
    named: ClassVar = (BATCH_FIRST,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE.md", help="the text, kept to the letter")

    def act(self, **options: Any) -> Mapping[str, Any]:
        batch = options["batch"]
        plan = analysis_plans.freeze(
            batch=batch, text=text_to_the_letter(options["file"]), by=options["by"]
        )
        return {
            "batch": batch.name,
            "sha256": plan.sha256,
            "frozen_at": plan.frozen_at.isoformat(),
            "n_judgements": plan.n_judgements,
            "is_before_judgements": plan.is_before_judgements,
        }
