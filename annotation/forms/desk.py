"""What an annotator sends from the desk."""

from typing import Any

from django import forms

from annotation.actions import judgements
from annotation.actions.judgements import UNMEASURED, Submission
from annotation.models import Assignment
from annotation.models.limits import LONGEST_REASON
from annotation.schemes import ResponseError, Scheme
from annotation.schemes.base import Payload
from annotation.schemes.sheet import SheetScheme

# Django's own field in every form.
FORGERY_GUARD = "csrfmiddlewaretoken"


class SubmissionForm(forms.Form):
    """A judgement, and how it came about. Nothing is chosen beforehand.

    What the scheme asks is no field of this form: every name besides the form's own is part of the response,
    and the scheme says whether it is one. `response` is what was sent of it.
    """

    comment = forms.CharField(
        required=False,
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        help_text="Whoever settles disputes reads it.",
    )
    client_id = forms.CharField(max_length=64, widget=forms.HiddenInput)
    shown_at = forms.DateTimeField(widget=forms.HiddenInput)
    active_seconds = forms.FloatField(required=False, min_value=0, widget=forms.HiddenInput)

    # Whether what was sent is the whole first part of a sheet: the rest of the item is shown next.
    opens = False

    def __init__(self, scheme: Scheme, assignment: Assignment, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.scheme, self.assignment = scheme, assignment
        own = {*self.fields, FORGERY_GUARD}
        self.response = {name: said for name, said in self.data.items() if name not in own}

    def clean(self) -> dict[str, Any]:
        try:
            self.said = judgements.cleaned_response(self.response, self.assignment, self.scheme)
        except ResponseError as error:
            self.add_error(None, str(error))
        return self.cleaned_data

    @property
    def is_incomplete(self) -> bool:
        """Whether what the scheme asks is not answered."""
        return bool(self.non_field_errors())

    def submission(self) -> Submission:
        said = self.cleaned_data
        measured = said["active_seconds"]
        return Submission(
            client_id=said["client_id"],
            response=self.said,
            shown_at=said["shown_at"],
            active_seconds=UNMEASURED if measured is None else measured,
            comment=said["comment"],
        )


class SheetForm(SubmissionForm):
    """A sheet, part by part: `part` is the one that was on the screen.

    What was kept of the first part need not be sent again. Where that was sent just now, `said` is it alone.
    """

    part = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
    scheme: SheetScheme

    def clean(self) -> dict[str, Any]:
        payload, kept = self.assignment.item.payload, self.assignment.first_part
        sent_first = self.cleaned_data.get("part") == 1
        is_first = self.scheme.n_parts(payload) > 1 and (kept is None or sent_first)
        # What a page from before sends of the first part was not kept; what a later one changes of it is refused.
        said = (
            {**self.response, **(kept or {})} if sent_first else {**(kept or {}), **self.response}
        )
        self.response = self.scheme.without_unasked(payload, said)
        missing = self.scheme.missing(payload, self.response)
        if any(question.part == 1 or not is_first for question in missing):
            self.add_error(None, "Some questions are not answered yet.")
        elif not is_first:
            super().clean()
        elif not self.errors:
            self._open(payload)
        return self.cleaned_data

    def _open(self, payload: Payload) -> None:
        try:
            self.said = self.scheme.first_part(self.response, payload) or {}
        except ResponseError as error:
            self.add_error(None, str(error))
        else:
            self.opens = True


def form_of(scheme: Scheme) -> type[SubmissionForm]:
    return SheetForm if isinstance(scheme, SheetScheme) else SubmissionForm


class SkipForm(forms.Form):
    reason = forms.CharField(
        label="Why do you skip this item?",
        help_text="Somebody else gets it; to you it does not come back.",
        max_length=LONGEST_REASON,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )


class FlagForm(forms.Form):
    message = forms.CharField(
        label="What is wrong with this item, or what do you want to ask?",
        help_text="The requester reads it and can answer. You can judge the item all the same.",
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
    )
