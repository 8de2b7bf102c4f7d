"""Licence and citation of a data set, when it is imported and later."""

from django import forms

from corpus.models import plain_name


class DescriptionForm(forms.Form):
    licence = forms.CharField(
        required=False,
        max_length=200,
        validators=[plain_name],
        help_text="As it should read in a release, for example CC BY-SA 4.0.",
    )
    citation = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What users of the data set are asked to cite.",
    )
