"""Answers to annotators' flags."""

from django.db import transaction

from accounts import permissions
from accounts.models import Role, User
from annotation.models import Flag, FlagAnswer
from annotation.queries import batch_clock
from annotation.review_decisions import cleaned_words
from audit import events


@transaction.atomic
def answer(*, flag: Flag, text: str, by: User) -> FlagAnswer:
    """Answer a flag. A second answer does not replace the first; both are shown.

    The same text by the same person twice in a row is one answer: the button was pressed twice.
    """
    batch = flag.assignment.item.batch
    permissions.require(by, batch.study, Role.ADJUDICATOR, Role.REQUESTER)
    text = cleaned_words(text, "answer")
    Flag.objects.select_for_update().get(pk=flag.pk)
    last = flag.answers.last()
    if last is not None and (last.text, last.answered_by) == (text, by):
        return last
    written = FlagAnswer.objects.create(
        flag=flag, text=text, answered_at=batch_clock.now(batch), answered_by=by
    )
    events.record(study=batch.study, by=by, verb="answered", target=flag, text=text)
    return written
