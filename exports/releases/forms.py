from dataclasses import replace
from typing import Any

from django import forms

from accounts.models import Study
from annotation.models.limits import LONGEST_REASON
from corpus.models import Dataset
from corpus.versions import with_work_first
from exports.forms import BatchChoice
from exports.releases.choice import Choice
from exports.releases.version_numbers import LEAST, number_of
from exports.rows.background import IN_WORDS
from pages.words import sentence


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

    version = forms.CharField(
        required=False,
        max_length=32,
        help_text="As others cite the data set, such as 1.1.0; refused if it is smaller than what changed allows."
        " “least” takes the least that is allowed. Empty: the release has a number only.",
    )
    note = forms.CharField(
        required=False,
        max_length=LONGEST_REASON,
        help_text="What the release is about, for its readers.",
    )

    background = forms.ChoiceField(
        label="What annotators said of themselves",
        required=False,
        choices=[(each.value, words) for each, words in IN_WORDS.items()],
        help_text="In background.csv, beside their pseudonyms. In words people may say who they are: read these answers"
        " before you include them.",
    )

    def __init__(self, study: Study, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        datasets = with_work_first(study.datasets.counting())
        self.datasets = list(datasets)
        field = forms.ModelChoiceField(datasets, label="Data set", empty_label=None)
        # As the field itself makes them, which asks for the data sets each time that it is rendered.
        field.choices = [(each.pk, field.label_from_instance(each)) for each in self.datasets]
        self.fields["dataset"] = field
        batches = study.batches.counting().values_list("name", "is_rehearsal")
        self.offer(name for name, _ in batches)
        if not any(is_rehearsal for _, is_rehearsal in batches):
            del self.fields["is_rehearsal"]
        if not study.background:
            del self.fields["background"]

    def clean_version(self) -> str:
        version: str = self.cleaned_data["version"]
        if version not in ("", LEAST):
            try:
                number_of(version)
            except ValueError as error:
                raise forms.ValidationError(sentence(str(error))) from error
        return version

    def clean(self) -> dict[str, Any]:
        return {"is_rehearsal": False, "background": ""} | self.cleaned_data

    def choice(self) -> Choice:
        """Return what was chosen, by default all batches of the first data set."""
        chosen = self.cleaned_data if self.is_bound and self.is_valid() else {}
        whole = Choice(chosen.get("dataset") or self.datasets[0], chosen.get("is_rehearsal", False))
        names = chosen.get("without")
        if not names:
            return whole
        left_out = [batch.name for batch in whole.offered() if batch.name in names]
        return replace(whole, left_out=tuple(left_out))
