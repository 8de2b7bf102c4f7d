"""Checks of the guideline: the questions of a draft, and the attempts of people."""

import json
from collections.abc import Sequence

from django.db import transaction

from accounts import permissions
from accounts.errors import ActionError
from accounts.models import Study, User
from annotation import check_questions
from annotation.actions import locks
from annotation.check_questions import CheckTextError
from annotation.models import Batch, BatchState, CheckAttempt, ComprehensionCheck
from annotation.models.checks import MOST_ATTEMPTS
from annotation.queries import checks
from annotation.schemes import payloads


class CheckError(ActionError):
    """The check cannot be made, or the attempt is not taken; the message says why."""


def check_of(study: Study, text: str, by: User) -> ComprehensionCheck | None:
    """The study's check with these questions; None for an empty text. A row never changes, so equal ones share one.

    Raises CheckError.
    """
    try:
        questions = [each.to_dict() for each in check_questions.read(text)]
    except CheckTextError as error:
        raise CheckError(f"the check of the guideline: {error}") from error
    if not questions:
        return None
    check, _ = ComprehensionCheck.objects.get_or_create(
        study=study,
        sha256=payloads.text_sha256(json.dumps(questions, ensure_ascii=False)),
        defaults={"questions": questions, "created_by": by},
    )
    return check


@transaction.atomic
def take(*, batch: Batch, number: int, answers: Sequence[int], by: User) -> CheckAttempt:
    """Store an attempt: an index for each question. It is passed if all are right.

    `number` is that of the attempt whose page was filled in, so that a page that is sent twice is one attempt. Raises
    CheckError.
    """
    permissions.require_desk(by, batch.study)
    locked = locks.locked_batch(batch.pk)
    if locked.state not in (BatchState.OPEN, BatchState.PAUSED) or locked.is_withdrawn:
        raise CheckError(
            f"the batch {locked.name} is {'withdrawn' if locked.is_withdrawn else locked.state}"
        )
    questions = checks.questions_of(batch)
    earlier = checks.attempts_of(batch, by)
    if not questions or any(each.is_passed for each in earlier):
        raise CheckError("there is nothing to answer")
    if len(earlier) >= MOST_ATTEMPTS:
        raise CheckError(f"the {MOST_ATTEMPTS} attempts are used up")
    if number != len(earlier) + 1:
        raise CheckError("this attempt was sent already")
    if len(answers) != len(questions) or not all(
        0 <= answer < len(question.choices)
        for answer, question in zip(answers, questions, strict=True)
    ):
        raise CheckError("answer every question with one of its choices")
    return CheckAttempt.objects.create(
        batch=batch,
        taken_by=by,
        number=number,
        answers=list(answers),
        is_passed=all(
            answer == question.right for answer, question in zip(answers, questions, strict=True)
        ),
    )
