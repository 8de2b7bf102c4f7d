"""What the desk shows of an item: all that changes from one item to the next."""

from collections.abc import Iterable
from typing import Any

from annotation.actions import judgements
from annotation.forms.desk import SubmissionForm
from annotation.models import Assignment, AssignmentState, Batch, Flag, Judgement
from annotation.schemes import Scheme, payloads, sheet_layout
from annotation.schemes.base import Payload
from annotation.schemes.sheet import SheetScheme


def item_context(
    assignment: Assignment,
    batch: Batch,
    scheme: Scheme,
    flags: Iterable[Flag] = (),
    before: Judgement | None = None,
    form: SubmissionForm | None = None,
) -> dict[str, Any]:
    """The context of _judged.html."""
    content = payloads.content_in_order(
        assignment.item.payload, judgements.screen_order(assignment, batch)
    )
    if isinstance(scheme, SheetScheme):
        content = _with_questions(content, scheme, assignment, before, form)
    return {
        "payload": content,
        "screen": f"annotation/schemes/{scheme.name}.html",
        "shows_markdown": batch.shows_markdown,
        "flags": flags,
        "is_late": assignment.state == AssignmentState.EXPIRED,
    }


def _with_questions(
    content: Payload,
    scheme: SheetScheme,
    assignment: Assignment,
    before: Judgement | None,
    form: SubmissionForm | None,
) -> dict[str, Any]:
    """The content with the questions of a sheet and the marks of a response: the one just sent, else the one taken
    back, else the stored first part, else what somebody else wrote before.
    """
    first_part = assignment.first_part
    begun = first_part or scheme.given_response(content)
    response, marks_missing = before.response if before else begun, False
    if form and not form.is_first_part:
        response, marks_missing = form.response, form.is_incomplete
    return sheet_layout.content_with_questions(
        scheme,
        content,
        response,
        shows_all=first_part is not None,
        marks_missing=marks_missing,
    )
