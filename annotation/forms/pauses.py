from django import forms

from annotation.models.limits import LONGEST_REASON


class ReasonForm(forms.Form):
    """The reason why a person is paused or resumed."""

    reason = forms.CharField(
        max_length=LONGEST_REASON,
        help_text="Kept with the decision and in the history. The person does not see it.",
    )
