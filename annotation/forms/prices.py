"""The fields of a batch about pay and time."""

from typing import Any

from django import forms

from annotation import schemes
from annotation.models import Batch
from annotation.models.limits import MOST_EXPECTED_SECONDS
from sampling import pay

NEITHER_OR_BOTH = "A paid batch has a reward and its currency, an unpaid one neither."


class PricingForm(forms.Form):
    """The reward and the expected time of one judgement."""

    reward = forms.DecimalField(
        label="Reward for a judgement",
        required=False,
        max_digits=9,
        decimal_places=pay.PLACES,
        min_value=0,
        widget=forms.NumberInput(attrs={"step": "any"}),
        help_text="Empty: the work is unpaid, and annotators are told so.",
    )
    currency = forms.ChoiceField(
        required=False, choices=[("", "unpaid"), *((code, code) for code in pay.SIGNS)]
    )
    expected_seconds = forms.IntegerField(
        label="Seconds that a judgement is expected to take",
        required=False,
        min_value=1,
        max_value=MOST_EXPECTED_SECONDS,
        help_text="Empty: as the shared task paid, "
        + ", ".join(f"{schemes.get(name).expected_seconds} for {name}" for name in schemes.names())
        + ".",
    )

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        reward, currency = self.cleaned_data.get("reward"), self.cleaned_data.get("currency")
        if "reward" in self.errors or "currency" in self.errors:
            return cleaned
        if bool(reward) != bool(currency) or reward == 0:
            self.add_error("currency" if reward else "reward", NEITHER_OR_BOTH)
        return cleaned

    def pricing(self, scheme: str) -> dict[str, Any]:
        """The keyword arguments for the actions on batches."""
        cleaned = self.cleaned_data
        return {
            "reward": cleaned["reward"],
            "currency": cleaned["currency"],
            "expected_seconds": cleaned["expected_seconds"] or schemes.get(scheme).expected_seconds,
        }


def initial_pricing(batch: Batch) -> dict[str, Any]:
    """The form's initial values for a batch; the reward without trailing zeros."""
    price = batch.price
    return {
        "reward": str(price.shortest) if price else None,
        "currency": batch.currency,
        "expected_seconds": batch.expected_seconds,
    }
