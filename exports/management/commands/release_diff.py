from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from accounts import permissions
from accounts.commands import StudyCommand
from accounts.models import Role
from exports.releases import difference_queries, difference_summary
from exports.releases.reader import BrokenReleaseError
from exports.withdrawals.commands import release_of_number
from exports.writers.errors import ReleaseError


class Command(StudyCommand):
    help = (
        "Print what differs between two releases of a data set: turns, accepted answers, verdicts with "
        "the acts that changed them, runs, and the figures of both."
    )
    expected: ClassVar = (ReleaseError, BrokenReleaseError)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "before", type=int, metavar="A", help="the number of the earlier release"
        )
        parser.add_argument("after", type=int, metavar="B", help="the number of the later one")

    def act(self, **options: Any) -> Mapping[str, Any]:
        study = options["study"]
        permissions.require(options["by"], study, Role.REQUESTER)
        before, after = (release_of_number(options[name], study) for name in ("before", "after"))
        return difference_queries.summary(before, after)

    def lines(self, summary: Mapping[str, Any]) -> Iterable[str]:
        return difference_summary.lines(summary)
