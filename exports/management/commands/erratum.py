from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import StudyCommand
from exports.errata import actions
from exports.errata.actions import ErratumError
from exports.rows.ids import timestamp
from exports.withdrawals.commands import release_of_number


class Command(StudyCommand):
    help = "Note what is wrong with an answer of a release, which stays as it is."
    expected: ClassVar = (ErratumError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", type=int, metavar="RELEASE", help="its number")
        parser.add_argument(
            "--answer",
            required=True,
            metavar="ID",
            help="the answer_id of a row of its items.csv, or of an answer of its earlier.json",
        )
        parser.add_argument("--reason", required=True, metavar="TEXT", help="what is wrong with it")

    def act(self, **options: Any) -> Mapping[str, Any]:
        row = actions.note_erratum(
            release=release_of_number(options["release"], options["study"]),
            answer_id=options["answer"],
            reason=options["reason"],
            by=options["by"],
        )
        return {
            "release": row.release.number,
            "answer_id": row.answer_id,
            "answer": row.answer,
            "reason": row.reason,
            "noted_at": timestamp(row.noted_at),
        }
