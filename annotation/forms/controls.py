"""The forms of control items."""

from collections.abc import Sequence
from typing import Any

from django import forms

from annotation.models import Batch
from annotation.models.limits import LONGEST_REASON
from pages.middleware import MB

MOST_AT_ONCE = 500
# Below what every request may have.
LARGEST_KEYS_MB = 5


class ControlsForm(forms.Form):
    """The settled batch that control items are taken from, how many, and the seed of the draw."""

    source = forms.ChoiceField(
        label="Settled batch", help_text="Closed and settled, of the same scheme."
    )
    n = forms.IntegerField(
        label="Control items",
        min_value=1,
        max_value=MOST_AT_ONCE,
        initial=20,
        help_text="As evenly over the labels as there are items, at most one of a question.",
    )
    seed = forms.IntegerField(
        min_value=0, max_value=2**31 - 1, initial=1, help_text="The same seed draws the same items."
    )

    def __init__(self, sources: Sequence[Batch], *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self.sources = {str(each.pk): each for each in sources}
        choices = [(key, each.name) for key, each in self.sources.items()]
        self.fields["source"].choices = choices  # type: ignore[attr-defined]

    @property
    def source_batch(self) -> Batch:
        return self.sources[self.cleaned_data["source"]]


class KeysForm(forms.Form):
    """A file of answers with known labels."""

    keys = forms.FileField(
        label="File of answers with known labels",
        max_length=255,
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}),
        help_text="CSV with the columns turn, answer, label and explanation: all of its rows are added, or none.",
        error_messages={"required": "Choose a CSV file first.", "empty": "The file is empty."},
    )

    def clean_keys(self) -> Any:
        file = self.cleaned_data["keys"]
        if (file.size or 0) > LARGEST_KEYS_MB * MB:
            raise forms.ValidationError(f"A file of keys has at most {LARGEST_KEYS_MB} MB.")
        return file


class TakeOutForm(forms.Form):
    reason = forms.CharField(
        label="Why this control item is taken out",
        max_length=LONGEST_REASON,
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
