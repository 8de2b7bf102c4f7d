from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from accounts import permissions
from accounts.commands import Named
from accounts.models import Role
from annotation.actions import qualifications
from annotation.commands import QUALIFICATION, BatchCommand, batch_called
from annotation.queries import standings
from annotation.queries.expected_labels import NotSettledError
from stats.qualification import Outcome, RuleError


class Command(BatchCommand):
    help = "Show what a qualification's rule says of the answers in a settled batch or a training; with --apply, let it decide."
    expected: ClassVar = (qualifications.QualificationError, NotSettledError, RuleError)
    named: ClassVar = (
        QUALIFICATION,
        Named(
            "--from",
            batch_called,
            required=True,
            dest="batch",
            metavar="BATCH",
            help="a settled batch",
        ),
    )

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--apply",
            action="store_true",
            help="grant and fail by the rule, if it is set to act; nothing is revoked",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        permissions.require_reader(options["by"], options["study"], Role.REQUESTER)
        asked, batch = options["qualification"], options["batch"]
        lines = standings.lines(asked, batch)
        decided = (
            qualifications.apply_rule(qualification=asked, batch=batch, by=options["by"])
            if options["apply"]
            else []
        )
        return {
            "qualification": asked.name,
            "batch": batch.name,
            "is_applied": options["apply"],
            "n_decided": len(decided),
            "people": [_person(line, line.outcome) for line in lines if line.outcome],
        }


def _person(line: standings.Line, outcome: Outcome) -> dict[str, Any]:
    return {
        "annotator": line.user.username,
        "before": line.standing.state if line.standing else "",
        "decision": outcome.decision.value,
        "n_answers": outcome.accuracy.n,
        "n_right": outcome.accuracy.n_right,
        "lower_bound": outcome.accuracy.lower,
        "n_more": outcome.n_more,
        "reason": outcome.reason,
    }
