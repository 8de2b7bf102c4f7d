from typing import Any

from django import forms
from django.http import QueryDict

from accounts.models import Study
from annotation.models.limits import MOST_JUDGEMENTS
from corpus.models import Dataset
from exports.precision_audit.estimate import LARGEST_SEED, MOST, USUAL


class NewRelease(forms.Form):
    """Which data set is given out, and what becomes of what is not settled."""

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
        datasets = study.datasets.order_by("name", "-version")
        self.fields["dataset"] = forms.ModelChoiceField(
            datasets, label="Data set", empty_label=None
        )
        if not study.batches.filter(is_rehearsal=True).exists():
            del self.fields["is_rehearsal"]

    def clean(self) -> dict[str, Any]:
        return {"is_rehearsal": False} | self.cleaned_data


class Price(forms.Form):
    """What a judgement costs, to say what a plausible answer does."""

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
        self.usual = judgements
        given = data.copy()
        given.setdefault("judgements", str(judgements))
        super().__init__(given)

    def said(self) -> tuple[float | None, int]:
        """The price, if a usable one was said, and the judgements, else the usual number."""
        self.is_valid()
        return self.cleaned_data.get("price"), self.cleaned_data.get("judgements") or self.usual


class Plan(forms.Form):
    """How many questions would be judged for two runs, and how often just one of them is right."""

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
        given = data.copy()
        given.setdefault("questions", str(questions))
        given.setdefault("discordance", f"{100 * discordance:.3g}")
        super().__init__(given)


class NewPrecisionAudit(forms.Form):
    """How many accepted answers of each tier an expert is asked about."""

    gold = forms.IntegerField(label="Gold answers", min_value=0, max_value=MOST, initial=USUAL)
    silver = forms.IntegerField(label="Silver answers", min_value=0, max_value=MOST, initial=USUAL)
    seed = forms.IntegerField(
        label="Seed",
        min_value=-LARGEST_SEED,
        max_value=LARGEST_SEED - 1,
        initial=1,
        help_text="The same seed, the same lots.",
    )

    def clean(self) -> dict[str, Any]:
        said = self.cleaned_data
        if said.get("gold") == said.get("silver") == 0:
            raise forms.ValidationError("A sample of none says nothing: ask for some of a tier.")
        return said
