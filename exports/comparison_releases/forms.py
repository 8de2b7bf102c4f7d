from typing import Any

from django import forms

from accounts.models import Study
from annotation.models import Batch
from exports.comparison import queries as comparison_queries


class NewComparisonRelease(forms.Form):
    """The batches of a comparison that is released: those that count, without some."""

    without = forms.MultipleChoiceField(
        label="Leave out",
        required=False,
        error_messages={"invalid_choice": "There is no batch “%(value)s” to leave out."},
    )
    with_open_batches = forms.BooleanField(
        label="Release open batches as they are",
        required=False,
        help_text="The release has the judgements made so far, and says which batches were open.",
    )

    def __init__(self, study: Study, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.batches = comparison_queries.counted_batches(study)
        without: forms.MultipleChoiceField = self.fields["without"]  # type: ignore[assignment]
        without.choices = [(batch.name, batch.name) for batch in self.batches]

    def taken(self) -> list[Batch]:
        """Return the batches that are not left out, of a valid form."""
        left_out = self.cleaned_data["without"]
        return [batch for batch in self.batches if batch.name not in left_out]

    def clean(self) -> dict[str, Any]:
        if "without" in self.cleaned_data and not self.taken():
            raise forms.ValidationError("Every batch is left out: there is nothing to release.")
        return self.cleaned_data
