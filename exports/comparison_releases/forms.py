from typing import Any

from django import forms

from accounts.models import Study
from annotation.models import Batch
from exports.comparison import queries as comparison_queries
from exports.forms import BatchChoice


class NewComparisonRelease(BatchChoice):
    """The batches of a comparison that is released: those that count, without some."""

    with_open_batches = forms.BooleanField(
        label="Release open batches as they are",
        required=False,
        help_text="The release has the judgements made so far, and says which batches were open.",
    )

    def __init__(self, study: Study, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.batches = comparison_queries.counted_batches(study)
        self.offer(batch.name for batch in self.batches)

    def batches_to_release(self) -> list[Batch]:
        """Return the batches that are not left out, of a valid form."""
        left_out = self.cleaned_data["without"]
        return [batch for batch in self.batches if batch.name not in left_out]

    def clean(self) -> dict[str, Any]:
        if "without" in self.cleaned_data and not self.batches_to_release():
            raise forms.ValidationError("Every batch is left out: there is nothing to release.")
        return self.cleaned_data
