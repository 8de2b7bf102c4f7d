"""What judging the candidates of a rule would cost: the fields of the desk that say how they are judged."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict

from accounts.models import Study
from sampling import pay
from sampling.models import Purpose

JUDGEMENTS_AN_ITEM, SECONDS_A_JUDGEMENT = 2, 30
MOST_JUDGEMENTS, MOST_SECONDS = 100, 86_400


class CostForm(forms.Form):
    """How each candidate is judged, and for how much; nothing of it is kept."""

    judgements = forms.IntegerField(
        label="Judgements of each", min_value=1, max_value=MOST_JUDGEMENTS
    )
    seconds = forms.IntegerField(label="Seconds a judgement", min_value=1, max_value=MOST_SECONDS)
    reward = forms.DecimalField(
        label="Reward a judgement",
        required=False,
        min_value=0,
        max_digits=9,
        decimal_places=pay.PLACES,
        widget=forms.NumberInput(attrs={"step": "any", "placeholder": "unpaid"}),
    )
    currency = forms.ChoiceField(
        required=False, choices=[("", "unpaid"), *((code, code) for code in pay.SIGNS)]
    )

    def clean(self) -> dict[str, Any] | None:
        given = super().clean()
        reward, currency = self.cleaned_data.get("reward"), self.cleaned_data.get("currency")
        if reward and not currency and "currency" not in self.errors:
            self.add_error("currency", "Say in which currency.")
        return given


@dataclass(frozen=True)
class Cost:
    """Of judging so many candidates. `each` and `price` are None where it is unpaid."""

    n_judgements: int
    hours: float
    each: pay.Money | None
    price: pay.Money | None


def form_of(study: Study, given: QueryDict) -> CostForm:
    """What the address does not say is as in the study's newest batch on a pool."""
    usual = beginning(study)
    said = {name: given.get(name, value) for name, value in usual.items()}
    form = CostForm(said)
    form.is_valid()
    return form


def beginning(study: Study) -> dict[str, str]:
    newest = (
        study.batches.filter(pool__purpose=Purpose.ANSWERS).order_by("-created_at", "-pk").first()
    )
    if newest is None:
        return {
            "judgements": str(JUDGEMENTS_AN_ITEM),
            "seconds": str(SECONDS_A_JUDGEMENT),
            "reward": "",
            "currency": "",
        }
    return {
        "judgements": str(newest.judgements_per_item),
        "seconds": str(newest.expected_seconds),
        "reward": str(newest.price.shortest) if newest.price else "",
        "currency": newest.currency,
    }


def said(form: CostForm, given: QueryDict) -> dict[str, str]:
    """What was typed, to be carried along in addresses."""
    return {name: given.get(name, "") for name in form.fields if name in given}


def cost(form: CostForm, n_candidates: int) -> Cost | None:
    """None while the fields cannot be meant as they are."""
    if form.errors:
        return None
    asked: Mapping[str, Any] = form.cleaned_data
    n = asked["judgements"] * n_candidates
    each = pay.Money(asked["reward"], asked["currency"]) if asked["reward"] else None
    return Cost(n, pay.hours(n, asked["seconds"]), each, each.times(n) if each else None)
