from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from django import forms
from django.http import QueryDict

from annotation.models import Batch
from annotation.models.limits import MOST_JUDGEMENTS
from exports.precision_audit.estimate import DEFAULT_SIZE, LARGEST_SEED, MAX_SIZE
from sampling import pay


class BatchChoice(forms.Form):
    """The batches that a release leaves out, of those that it could take."""

    without = forms.MultipleChoiceField(
        label="Leave out",
        required=False,
        error_messages={"invalid_choice": "There is no batch “%(value)s” to leave out."},
    )

    def offer(self, names: Iterable[str]) -> None:
        without: forms.MultipleChoiceField = self.fields["without"]  # type: ignore[assignment]
        without.choices = [(name, name) for name in names]


class Price(forms.Form):
    """The price of a judgement, from which the cost of a plausible answer follows."""

    price = forms.FloatField(
        label="Price per judgement",
        required=False,
        min_value=0.0001,
        max_value=10_000,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    currency = forms.ChoiceField(required=False, choices=[(code, code) for code in pay.SIGNS])
    judgements = forms.IntegerField(
        label="Judgements per item", required=False, min_value=1, max_value=MOST_JUDGEMENTS
    )

    def __init__(self, data: QueryDict, *, batch: Batch | None) -> None:
        """Missing values are those of the batch; without one two judgements, with no price."""
        self.default_judgements = batch.judgements_per_item if batch else 2
        values = data.copy()
        values.setdefault("judgements", str(self.default_judgements))
        if batch and batch.price:
            values.setdefault("price", str(batch.price.shortest))
            values.setdefault("currency", batch.currency)
        values.setdefault("currency", next(iter(pay.SIGNS)))
        super().__init__(values)

    def price_and_judgements(self) -> tuple[pay.Money | None, int]:
        """The price, if it is valid, and the number of judgements."""
        self.is_valid()
        data = self.cleaned_data
        amount, currency = data.get("price"), data.get("currency")
        price = pay.Money(Decimal(str(amount)), currency) if amount and currency else None
        return price, data.get("judgements") or self.default_judgements


class Plan(forms.Form):
    """The number of questions judged for two runs, and the share of them where only one is
    accepted.
    """

    questions = forms.IntegerField(
        label="Questions judged for both", min_value=1, max_value=10_000_000
    )
    discordance = forms.FloatField(
        label="Discordant questions (%)",
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
        help_text="The same seed draws the same sample.",
    )

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("gold") == data.get("silver") == 0:
            raise forms.ValidationError("A sample of none says nothing: ask for some of a tier.")
        return data
