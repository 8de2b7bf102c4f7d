from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import StudyCommand
from exports.deletions.actions import DeletionError
from exports.deletions.kinds import KINDS
from exports.withdrawals.commands import add_things, named_thing


class Command(StudyCommand):
    help = "Delete an unused pool, run or version of a data set. This cannot be undone."
    expected: ClassVar = (DeletionError,)

    def add_options(self, parser: ArgumentParser) -> None:
        add_things(parser, parser.add_mutually_exclusive_group())

    def act(self, **options: Any) -> Mapping[str, Any]:
        name, thing = named_thing(options)
        summary = {name: str(thing), "id": thing.pk}
        KINDS[name].delete(**{name: thing}, by=options["by"])
        return {**summary, "deleted": True}
