from django import forms

from annotation.models.limits import LONGEST_REASON


class NewErratum(forms.Form):
    """What is wrong with an answer of a release."""

    answer = forms.CharField(
        label="Answer id",
        max_length=300,
        help_text="As in the column answer_id of items.csv; the list of accepted answers leads here with it, also"
        " with one that no table has because an earlier release accepted it.",
    )
    reason = forms.CharField(
        label="What is wrong",
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Shown on the page of the release, and written into later releases with the answer.",
    )
