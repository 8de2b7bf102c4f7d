"""The form of the opening of a batch."""

from django import forms


class OpenForm(forms.Form):
    ask_without_evidence = forms.BooleanField(
        label="Ask about answers without evidence too",
        required=False,
        help_text="Otherwise they are set aside as “no evidence” and not judged.",
    )
