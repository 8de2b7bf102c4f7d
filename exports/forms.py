from typing import Any

from django import forms
from django.http import QueryDict

from accounts.models import Study
from annotation.models.limits import MOST_JUDGEMENTS
from corpus.models import Dataset
from corpus.versions import with_work_first
from exports.precision_audit.estimate import DEFAULT_SIZE, LARGEST_SEED, MAX_SIZE


class NewRelease(forms.Form):
    """The data set of a release, and what to do with its disputes."""

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
        datasets = with_work_first(study.datasets.all())
        self.fields["dataset"] = forms.ModelChoiceField(
            datasets, label="Data set", empty_label=None
        )
        if not study.batches.counting().filter(is_rehearsal=True).exists():
            del self.fields["is_rehearsal"]

    def clean(self) -> dict[str, Any]:
        return {"is_rehearsal": False} | self.cleaned_data


class Price(forms.Form):
    """The price of a judgement, from which the price of a plausible answer follows."""

    price = forms.FloatField(
        label="Dollars a judgement",
        required=False,
        min_value=0.0001,
        max_value=10_000,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    judgements = forms.IntegerField(
        label="Judgements of each item", required=False, min_value=1, max_value=MOST_JUDGEMENTS
    )

    def __init__(self, data: QueryDict, *, judgements: int) -> None:
        self.default_judgements = judgements
        values = data.copy()
        values.setdefault("judgements", str(judgements))
        super().__init__(values)

    def price_and_judgements(self) -> tuple[float | None, int]:
        """The price, if it is valid, and the number of judgements, by default that of the
        constructor.
        """
        self.is_valid()
        data = self.cleaned_data
        return data.get("price"), data.get("judgements") or self.default_judgements


class Plan(forms.Form):
    """The number of questions judged for two runs, and the share of them where only one is
    accepted.
    """

    questions = forms.IntegerField(
        label="Questions judged for both", min_value=1, max_value=10_000_000
    )
    discordance = forms.FloatField(
        label="Per cent on which one alone is accepted",
        min_value=0,
        max_value=100,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )

    def __init__(self, data: QueryDict, *, questions: int, discordance: float) -> None:
        values = data.copy()
        values.setdefault("questions", str(questions))
        values.setdefault("discordance", f"{100 * discordance:.3g}")
        super().__init__(values)


class NewPrecisionAudit(forms.Form):
    """The number of accepted answers of each tier in a precision audit."""

    gold = forms.IntegerField(
        label="Gold answers", min_value=0, max_value=MAX_SIZE, initial=DEFAULT_SIZE
    )
    silver = forms.IntegerField(
        label="Silver answers", min_value=0, max_value=MAX_SIZE, initial=DEFAULT_SIZE
    )
    seed = forms.IntegerField(
        label="Seed",
        min_value=-LARGEST_SEED,
        max_value=LARGEST_SEED - 1,
        initial=1,
        help_text="The same seed, the same lots.",
    )

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("gold") == data.get("silver") == 0:
            raise forms.ValidationError("A sample of none says nothing: ask for some of a tier.")
        return data
