"""Background questions of a study: which are asked, and what a person says of themselves."""

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone

from accounts import background_questions, permissions
from accounts.background_questions import LONGEST_ANSWER
from accounts.errors import ActionError
from accounts.models import BackgroundAnswer, BackgroundQuestion, Membership, Study, User


class BackgroundAnswerError(ActionError):
    """The answer is none to its question; the message says why."""


def ask_as_written(study: Study) -> None:
    """Make the questions those of `study.background`, which is a text that read() takes.

    A wording that was asked before is the same row, with its answers. Part of accounts.actions.studies.
    """
    study.background_questions.update(position=None)
    for position, each in enumerate(background_questions.read(study.background), start=1):
        BackgroundQuestion.objects.update_or_create(
            study=study,
            sha256=each.sha256,
            defaults={"position": position},
            create_defaults={
                "position": position,
                "text": each.text,
                "choices": list(each.choices),
            },
        )


@transaction.atomic
def answer(*, study: Study, answers: Mapping[int, str], by: User) -> None:
    """Keep what the member says, by the key of the question; "" skips it, or removes what they said before.

    A question that is not the study's any more is passed over. Raises BackgroundAnswerError, ArchivedError,
    Membership.DoesNotExist.
    """
    membership = Membership.objects.select_related("study").get(study=study, user=by)
    permissions.require_changeable(membership.study)
    questions = study.background_questions.in_bulk(answers)
    for key, question in questions.items():
        text = answers[key].strip().replace("\r\n", "\n")
        _require_answer(question, text)
        # Nothing new is told by sending it again: the time stays.
        kept = membership.background_answers.filter(question=question)
        if not kept.filter(text=text).exists():
            BackgroundAnswer.objects.update_or_create(
                membership=membership,
                question=question,
                defaults={"text": text, "answered_at": timezone.now()},
            )


def _require_answer(question: BackgroundQuestion, text: str) -> None:
    if question.choices and text and text not in question.choices:
        raise BackgroundAnswerError("choose one of the choices")
    if len(text) > LONGEST_ANSWER:
        raise BackgroundAnswerError(f"an answer has at most {LONGEST_ANSWER} characters")
    if "\0" in text:
        raise BackgroundAnswerError("it holds a NUL character: it is not a text")


@transaction.atomic
def remove(*, study: Study, by: User) -> int:
    """Remove everything that the member said of themselves; return how many answers that were.

    They count as skipped, so that nobody is asked again. Raises ArchivedError, Membership.DoesNotExist.
    """
    membership = Membership.objects.select_related("study").get(study=study, user=by)
    permissions.require_changeable(membership.study)
    said = membership.background_answers.exclude(text="")
    return said.update(text="", answered_at=timezone.now())
