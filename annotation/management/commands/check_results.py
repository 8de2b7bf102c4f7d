from collections.abc import Mapping
from typing import Any, ClassVar

from accounts import permissions
from accounts.models import Role
from annotation.commands import BATCH_FIRST, BatchCommand
from annotation.queries import checks


class Command(BatchCommand):
    help = "List the attempts of people at the check of a batch's guideline, and how each question was answered."
    named: ClassVar = (BATCH_FIRST,)

    def act(self, **options: Any) -> Mapping[str, Any]:
        permissions.require_reader(options["by"], options["study"], Role.REQUESTER)
        batch = options["batch"]
        questions = checks.questions_of(batch)
        attempts = batch.check_attempts.select_related("taken_by")
        return {
            "batch": batch.name,
            "questions": [
                {"question": each.question.text, "n": each.n, "n_right": each.n_right}
                for each in checks.figures(batch)
            ],
            "attempts": [
                {
                    "annotator": each.taken_by.username,
                    "attempt": each.number,
                    "is_passed": each.is_passed,
                    "answers": [answer.words for answer in checks.answers_in(each, questions)],
                    "at": each.taken_at.isoformat(),
                }
                for each in attempts.order_by("taken_by__username", "number")
            ],
        }
