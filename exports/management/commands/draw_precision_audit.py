from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import StudyCommand
from corpus.commands import dataset_called
from exports.precision_audit import actions as precision_audit_actions
from exports.precision_audit.estimate import DEFAULT_SIZE, PrecisionError
from exports.rows.tiers import TIERS


class Command(StudyCommand):
    help = (
        "Draw a random sample of accepted answers for an expert to judge blind, to "
        "estimate their precision."
    )
    expected: ClassVar = (PrecisionError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dataset", required=True, metavar="NAME")
        for tier in TIERS:
            parser.add_argument(
                f"--{tier}",
                type=int,
                default=DEFAULT_SIZE,
                metavar="N",
                help=f"number of {tier} answers, or all if there are fewer",
            )
        parser.add_argument("--seed", type=int, default=1, help="of the random choice")
        parser.add_argument(
            "--rehearsal", action="store_true", help="of what simulated people accepted"
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        audit = precision_audit_actions.draw(
            dataset=dataset_called(options["dataset"], options["study"]),
            sizes={tier: options[tier] for tier in TIERS},
            seed=options["seed"],
            by=options["by"],
            is_rehearsal=options["rehearsal"],
        )
        drawn = list(audit.items.values_list("tier", flat=True))
        return {
            "audit": audit.number,
            "dataset": str(audit.dataset),
            "tiers": [
                {
                    "tier": tier,
                    "n_accepted": getattr(audit, f"n_{tier}"),
                    "n_drawn": drawn.count(tier),
                }
                for tier in TIERS
            ],
        }
