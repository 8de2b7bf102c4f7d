"""The form that makes answers of sentences of evidence."""

from django import forms

from corpus.models import plain_name
from sampling.actions.extracted_answers import DEFAULT_NAME


class SpansForm(forms.Form):
    name = forms.CharField(
        max_length=200,
        validators=[plain_name],
        initial=DEFAULT_NAME,
        label="Name of the runs",
        help_text="Of that with the nearest sentences; the others have a number after it.",
        error_messages={"required": "Give the runs a name."},
    )
    most = forms.IntegerField(
        min_value=1,
        required=False,
        label="Sentences of a question at most",
        help_text="Those nearest to its answers. Left empty, all.",
    )
