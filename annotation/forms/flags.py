"""The form of an answer to a flag."""

from django import forms

from annotation.models.limits import (
    LONGEST_REASON,
)


class FlagAnswerForm(forms.Form):
    text = forms.CharField(
        label="Answer", max_length=LONGEST_REASON, widget=forms.Textarea(attrs={"rows": 2})
    )
