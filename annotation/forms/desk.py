"""Forms of the desk."""

from collections.abc import Sequence
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
    """A response with its times and comment. Nothing is preselected.

    The questions of the scheme are not fields of this form: all other values sent are the `response`, which the
    scheme validates. `cleaned_response` is the response as it is stored.
    """

    comment = forms.CharField(
        required=False,
        max_length=LONGEST_REASON,
        # It stands outside the form, below what stays in sight.
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto", "form": "judgement"}),
        help_text="Read by the adjudicator if annotators disagree.",
    )
    client_id = forms.CharField(max_length=64, widget=forms.HiddenInput)
    shown_at = forms.DateTimeField(widget=forms.HiddenInput)
    active_seconds = forms.FloatField(required=False, min_value=0, widget=forms.HiddenInput)

    # Whether the whole first part of a sheet was sent, so that the rest of the item is shown next.
    is_first_part = False

    def __init__(self, scheme: Scheme, assignment: Assignment, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.scheme, self.assignment = scheme, assignment
        own = {*self.fields, FORGERY_GUARD}
        self.response = {name: value for name, value in self.data.items() if name not in own}

    def clean(self) -> dict[str, Any]:
        try:
            self.cleaned_response = judgements.cleaned_response(
                self.response, self.assignment, self.scheme
            )
        except ResponseError as error:
            self.add_error(None, str(error))
        return self.cleaned_data

    @property
    def is_incomplete(self) -> bool:
        """Whether the response is incomplete or invalid."""
        return bool(self.non_field_errors())

    def submission(self) -> Submission:
        cleaned = self.cleaned_data
        measured = cleaned["active_seconds"]
        return Submission(
            client_id=cleaned["client_id"],
            response=self.cleaned_response,
            shown_at=cleaned["shown_at"],
            active_seconds=UNMEASURED if measured is None else measured,
            comment=cleaned["comment"],
        )


class SheetForm(SubmissionForm):
    """The response to a sheet, part by part; `part` is the one that was on the screen.

    The stored first part need not be sent again. If the first part is sent, `cleaned_response` is that part only.
    """

    part = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
    scheme: SheetScheme

    def clean(self) -> dict[str, Any]:
        payload, stored = self.assignment.item.payload, self.assignment.first_part
        sent_first = self.cleaned_data.get("part") == 1
        is_first = self.scheme.n_parts(payload) > 1 and (stored is None or sent_first)
        # The stored first part replaces what an old page sends of it; the second part must not change it.
        response = (
            {**self.response, **(stored or {})}
            if sent_first
            else {**(stored or {}), **self.response}
        )
        self.response = self.scheme.without_unasked_answers(payload, response)
        missing = self.scheme.unanswered_questions(payload, self.response)
        if any(question.part == 1 or not is_first for question in missing):
            self.add_error(None, "Some questions are not answered yet.")
        elif not is_first:
            super().clean()
        elif not self.errors:
            self._clean_first_part(payload)
        return self.cleaned_data

    def _clean_first_part(self, payload: Payload) -> None:
        try:
            self.cleaned_response = self.scheme.first_part(self.response, payload) or {}
        except ResponseError as error:
            self.add_error(None, str(error))
        else:
            self.is_first_part = True


def form_class(scheme: Scheme) -> type[SubmissionForm]:
    return SheetForm if isinstance(scheme, SheetScheme) else SubmissionForm


class SkipForm(forms.Form):
    """One of the batch's reasons, or words, or both."""

    choice = forms.ChoiceField(required=False, widget=forms.RadioSelect)
    reason = forms.CharField(
        label="In words",
        required=False,
        max_length=LONGEST_REASON,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )

    def __init__(self, reasons: Sequence[str], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.reasons = reasons
        self.fields["choice"].choices = [(each, each) for each in reasons]  # type: ignore[attr-defined]
        if not reasons:
            self.fields["reason"].label = "Why do you skip this item?"

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if not self.errors and not cleaned["choice"] and not cleaned["reason"]:
            self.add_error("reason", self.missing)
        return cleaned

    @property
    def missing(self) -> str:
        """What is said where neither was given."""
        return "Choose a reason, or write one." if self.reasons else "Write why you skip it."


class FlagForm(forms.Form):
    message = forms.CharField(
        label="What is wrong with this item, or what do you want to ask?",
        help_text="The requester reads it and can answer. You can judge the item all the same.",
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
    )
