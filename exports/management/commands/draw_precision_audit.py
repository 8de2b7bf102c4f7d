from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import FormCommand, StudyCommand
from corpus.commands import DATASET
from exports.forms import NewPrecisionAudit
from exports.precision_audit import actions as precision_audit_actions
from exports.precision_audit.estimate import PrecisionError
from exports.rows.tiers import TIERS


class Command(FormCommand, StudyCommand):
    help = (
        "Draw a random sample of accepted answers for an expert to judge blind, to "
        "estimate their precision."
    )
    expected: ClassVar = (PrecisionError,)
    named: ClassVar = (DATASET,)
    form_class = NewPrecisionAudit

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--rehearsal",
            action="store_true",
            help="sample answers accepted by simulated annotators",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        asked = self.form(options).cleaned_data
        audit = precision_audit_actions.draw(
            dataset=options["dataset"],
            sizes={tier: asked[tier] for tier in TIERS},
            seed=asked["seed"],
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
