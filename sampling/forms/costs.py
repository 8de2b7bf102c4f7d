"""The cost of judging the candidates of a rule: the desk's form for judgements, time and reward."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from accounts.models import Study
from sampling import pay
from sampling.models import Purpose

JUDGEMENTS_AN_ITEM, SECONDS_A_JUDGEMENT = 2, 30
MOST_JUDGEMENTS, MOST_SECONDS = 100, 86_400


class CostForm(forms.Form):
    """Judgements, seconds and reward a candidate. They are stored with the pool that is drawn."""

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
        cleaned = super().clean()
        reward, currency = self.cleaned_data.get("reward"), self.cleaned_data.get("currency")
        if reward and not currency and "currency" not in self.errors:
            self.add_error("currency", "Say in which currency.")
        return cleaned

    def entered_costs(self) -> dict[str, Any]:
        """The values as a pool keeps them; the reward as a text, and with it the currency, only if it is paid."""
        values = self.cleaned_data
        reward = values["reward"]
        return {
            "judgements": values["judgements"],
            "seconds": values["seconds"],
            "reward": str(pay.Money(reward, values["currency"]).shortest) if reward else "",
            "currency": values["currency"] if reward else "",
        }


@dataclass(frozen=True)
class Cost:
    """The cost of judging candidates.

    `each` (of one judgement) and `price` are None if it is unpaid.
    """

    n_judgements: int
    hours: float
    each: pay.Money | None
    price: pay.Money | None


def cost_form_of(study: Study, query: QueryDict) -> CostForm:
    """Return the form of the address.

    Missing values are those of the study's newest batch on a pool.
    """
    usual = initial_costs(study)
    in_query = {name: query.get(name, value) for name, value in usual.items()}
    form = CostForm(in_query)
    form.is_valid()
    return form


def initial_costs(study: Study) -> dict[str, str]:
    counting = study.batches.filter(pool__purpose=Purpose.ANSWERS, is_withdrawn=False)
    newest = counting.order_by("-created_at", "-pk").first()
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


def entered_values(form: CostForm, query: QueryDict) -> dict[str, str]:
    """The values that the requester entered, for links that keep them."""
    return {name: query.get(name, "") for name in form.fields if name in query}


def costs_to_keep(study: Study, sent: QueryDict) -> dict[str, Any]:
    """The costs that were sent with a draw; {} if none were. Raises ValidationError if they are invalid."""
    if not entered_values(CostForm(), sent):
        return {}
    form = cost_form_of(study, sent)
    problems = [
        f"{form[name].label}: {error}" for name, errors in form.errors.items() for error in errors
    ]
    if problems:
        raise ValidationError(problems)
    return form.entered_costs()


def cost(form: CostForm, n_candidates: int) -> Cost | None:
    """The cost; None while the form is invalid."""
    if form.errors:
        return None
    values: Mapping[str, Any] = form.cleaned_data
    n = values["judgements"] * n_candidates
    each = pay.Money(values["reward"], values["currency"]) if values["reward"] else None
    return Cost(n, pay.hours(n, values["seconds"]), each, each.times(n) if each else None)
