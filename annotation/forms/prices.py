"""What a batch's form asks of money and time."""

from typing import Any

from django import forms

from annotation import schemes
from annotation.models import Batch
from annotation.models.limits import MOST_EXPECTED_SECONDS
from sampling import pay

NEITHER_OR_BOTH = "A paid batch has a reward and its currency, an unpaid one neither."


class Pricing(forms.Form):
    """What one judgement pays, and how long it is expected to take."""

    reward = forms.DecimalField(
        label="Reward for a judgement",
        required=False,
        max_digits=9,
        decimal_places=pay.PLACES,
        min_value=0,
        widget=forms.NumberInput(attrs={"step": "any"}),
        help_text="Empty: nobody is paid, and no page speaks of money.",
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
        said = super().clean()
        reward, currency = self.cleaned_data.get("reward"), self.cleaned_data.get("currency")
        if "reward" in self.errors or "currency" in self.errors:
            return said
        if bool(reward) != bool(currency) or reward == 0:
            self.add_error("currency" if reward else "reward", NEITHER_OR_BOTH)
        return said

    def pricing(self, scheme: str) -> dict[str, Any]:
        """The fields as the actions on batches take them."""
        said = self.cleaned_data
        return {
            "reward": said["reward"],
            "currency": said["currency"],
            "expected_seconds": said["expected_seconds"] or schemes.get(scheme).expected_seconds,
        }


def of(batch: Batch) -> dict[str, Any]:
    """What the form shows of a batch: the reward as it was written, without zeros behind it."""
    price = batch.price
    return {
        "reward": str(price.shortest) if price else None,
        "currency": batch.currency,
        "expected_seconds": batch.expected_seconds,
    }
