"""The form of a search for the evidence of references."""

from collections.abc import Sequence
from typing import Any

from django import forms

from corpus.models import Dataset
from sampling.forms.search import SearchForm


class ReferenceEvidenceForm(SearchForm):
    """The data set whose references are looked for in its passages, and what every search asks for."""

    def __init__(self, *args: Any, datasets: Sequence[Dataset], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["dataset"] = forms.TypedChoiceField(
            label="Data set", coerce=int, choices=[(each.pk, str(each)) for each in datasets]
        )
        self.order_fields(["dataset", "name"])
