from dataclasses import replace
from typing import Any

from django import forms

from accounts.models import Study
from corpus.models import Dataset
from corpus.versions import with_work_first
from exports.forms import BatchChoice
from exports.releases.choice import Choice


class NewRelease(BatchChoice):
    """The batches of a release, and what to do with their disputes."""

    dataset = forms.ModelChoiceField(Dataset.objects.none(), label="Data set", empty_label=None)
    is_rehearsal = forms.BooleanField(
        label="Release the rehearsed batches",
        required=False,
        help_text="Simulated people judged them: to see what a release looks like, and for nothing else.",
    )
    set_aside_disputes = forms.BooleanField(
        label="Set aside what is still in dispute",
        required=False,
        help_text="Those items count nowhere, in this release and later ones, until they are adjudicated.",
    )

    def __init__(self, study: Study, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.datasets = with_work_first(study.datasets.counting())
        self.fields["dataset"] = forms.ModelChoiceField(
            self.datasets, label="Data set", empty_label=None
        )
        batches = study.batches.counting().values_list("name", "is_rehearsal")
        self.offer(name for name, _ in batches)
        if not any(is_rehearsal for _, is_rehearsal in batches):
            del self.fields["is_rehearsal"]

    def clean(self) -> dict[str, Any]:
        return {"is_rehearsal": False} | self.cleaned_data

    def choice(self) -> Choice:
        """Return what was chosen, by default all batches of the first data set."""
        chosen = self.cleaned_data if self.is_bound and self.is_valid() else {}
        whole = Choice(chosen.get("dataset") or self.datasets[0], chosen.get("is_rehearsal", False))
        names = chosen.get("without", ())
        left_out = [batch.name for batch in whole.offered() if batch.name in names]
        return replace(whole, left_out=tuple(left_out))
