from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import FormCommand, Option, StudyCommand
from exports.errata import actions
from exports.errata.actions import ErratumError
from exports.errata.forms import NewErratum
from exports.rows.ids import timestamp
from exports.withdrawals.commands import RELEASE


class Command(FormCommand, StudyCommand):
    help = "Note what is wrong with an answer of a release, which stays as it is."
    expected: ClassVar = (ErratumError,)
    named: ClassVar = (RELEASE,)
    form_class = NewErratum
    form_options: ClassVar = {
        "answer": Option(
            metavar="ID",
            help="the answer_id of a row of its items.csv, or of an answer of its earlier.json",
        ),
        "reason": Option(metavar="TEXT"),
    }

    def act(self, **options: Any) -> Mapping[str, Any]:
        noted = self.form(options).cleaned_data
        row = actions.note_erratum(
            release=options["release"],
            answer_id=noted["answer"],
            reason=noted["reason"],
            by=options["by"],
        )
        return {
            "release": row.release.number,
            "answer_id": row.answer_id,
            "answer": row.answer,
            "reason": row.reason,
            "noted_at": timestamp(row.noted_at),
        }
