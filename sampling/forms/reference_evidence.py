"""The form of a search for the evidence of references."""

from collections.abc import Sequence
from typing import Any

from django import forms

from corpus.models import Dataset
from sampling.forms.search import SearchForm


class ReferenceEvidenceForm(SearchForm):
    """The data set whose references are looked for in its passages."""

    dataset = forms.TypedChoiceField(label="Data set", coerce=int)

    field_order = ("dataset", "name")

    def __init__(self, *args: Any, datasets: Sequence[Dataset], **options: Any) -> None:
        super().__init__(*args, **options)
        choice = self.fields["dataset"]
        if isinstance(choice, forms.TypedChoiceField):
            choice.choices = [(each.pk, str(each)) for each in datasets]
