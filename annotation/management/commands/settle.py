from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from django.core.management.base import CommandError

from annotation.actions import settlement
from annotation.commands import BatchCommand, batch_called
from stats.aggregation import consensus


class Command(BatchCommand):
    help = "Settle a closed batch by a rule: every item is decided, disputed, or set aside."
    expected: ClassVar = (settlement.SettleError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--batch", required=True)
        parser.add_argument("--rule", required=True, choices=sorted(consensus.RULES))
        parser.add_argument(
            "--expire-claims", action="store_true", help="release the items that people still hold"
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        try:
            settled = settlement.settle(
                batch=batch_called(options["batch"], options["study"]),
                rule=options["rule"],
                by=options["by"],
                expire_claims=options["expire_claims"],
            )
        except settlement.OpenClaimsError as error:
            raise CommandError(
                f"{error}, or release all that people hold with --expire-claims"
            ) from error
        return {"batch": options["batch"], "rule": options["rule"], **asdict(settled)}
