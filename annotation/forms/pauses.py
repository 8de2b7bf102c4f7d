from django import forms

from annotation.models.limits import LONGEST_REASON


class Reason(forms.Form):
    """Why a person's work is paused or goes on: for who organises the study."""

    reason = forms.CharField(
        max_length=LONGEST_REASON,
        help_text="Kept with the decision and in the history. The person does not see it.",
    )
