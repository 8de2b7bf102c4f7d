"""The forms of the page After the pilot: what if, and the opening of the full batch."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from accounts.models import Study
from annotation.forms.plans import PlanForm
from annotation.models import Batch, Qualification
from annotation.models.limits import LONGEST_PLAN, LONGEST_REASON, MOST_JUDGEMENTS
from corpus.models import plain_name
from exports.after_pilot import queries
from exports.after_pilot.people_queries import DEFAULT_RULE
from sampling.models import Pool

LEAST_BAR, HIGHEST_BAR = 0.001, 0.999


class WhatIfForm(forms.Form):
    """A qualification, a bar, and what the full batch asks. What is left out has its default."""

    asked: Qualification | None = None

    qualification = forms.ModelChoiceField(
        Qualification.objects.none(),
        label="Qualification",
        required=False,
        empty_label="a new one",
        help_text="Its rule says who passes. A new one has the usual rule, with the bar set here.",
    )
    bar = forms.FloatField(
        label="Bar for right answers (share)",
        min_value=LEAST_BAR,
        max_value=HIGHEST_BAR,
        widget=forms.NumberInput(attrs={"step": "0.001"}),
        help_text="Who passes has a lower bound of right answers that reaches it.",
    )
    pool = forms.ModelChoiceField(
        Pool.objects.none(), label="Pool of the full batch", empty_label=None
    )
    judgements = forms.IntegerField(
        label="Judgements of each item",
        min_value=1,
        max_value=MOST_JUDGEMENTS,
        help_text="By different people.",
    )

    def __init__(
        self, data: Mapping[str, Any] | None, *, batch: Batch, pools: list[Pool] | None = None
    ) -> None:
        """Without data, None, nothing is checked. `pools` are those of queries.pools, where they are known."""
        self.batch = batch
        self.pools = queries.pools(batch) if pools is None else pools
        super().__init__(None if data is None else self._with_defaults(data))
        self._set_choices("qualification", queries.qualifications(batch.study))
        newest_first = sorted(self.pools, key=lambda pool: (pool.created_at, pool.pk), reverse=True)
        self._set_choices("pool", queries.in_order(self.pools), newest_first)
        self.fields["pool"].required = bool(self.pools)

    def _with_defaults(self, data: Mapping[str, Any]) -> dict[str, Any]:
        batch = self.batch
        self.asked = chosen_qualification(batch.study, data.get("qualification", ""))
        has_rule = self.asked is not None and not self.asked.is_group
        rule = self.asked.rule if has_rule and self.asked else {}
        bar = rule.get("accuracy", DEFAULT_RULE.accuracy)
        defaults = {
            "bar": min(max(bar, LEAST_BAR), HIGHEST_BAR),
            "pool": self.pools[0].pk if self.pools else "",
            "judgements": batch.judgements_per_item,
        }
        given = {name: value for name, value in data.items() if value not in ("", None)}
        return {**defaults, **given}

    def _set_choices(self, name: str, rows: Any, known: Iterable[Any] | None = None) -> None:
        """Offer these rows. `known` are the same rows, already read: the field would read them each time it is rendered."""
        field = self.fields[name]
        if isinstance(field, forms.ModelChoiceField):
            field.queryset = rows
            if known is not None:
                field.choices = [(each.pk, field.label_from_instance(each)) for each in known]


class OpenFullForm(WhatIfForm):
    """What the page shows, and the names and the reason with which the full batch opens."""

    name = forms.CharField(
        label="Name of the full batch",
        max_length=100,
        validators=[plain_name],
        help_text="Shown to annotators: do not name systems or hypotheses.",
    )
    new_name = forms.CharField(
        label="Name of the new qualification",
        max_length=100,
        validators=[plain_name],
        help_text="For organisers: annotators do not see it.",
        error_messages={"required": "Name the new qualification, or choose one above."},
    )
    reason = forms.CharField(
        label="Reason why these people",
        max_length=LONGEST_REASON,
        help_text="Kept with each decision and in the history. The people do not see it.",
    )

    plan = forms.CharField(
        label=PlanForm.base_fields["plan"].label,
        required=False,
        max_length=LONGEST_PLAN,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "dir": "auto"}),
        help_text="Frozen before anybody can judge. Empty: none; it can be frozen later, which releases say."
        " In Markdown: which figures decide what, by which rule items are settled, what is left out.",
    )

    def clean_plan(self) -> str:
        text: str = self.cleaned_data["plan"]
        return text.replace("\r\n", "\n")

    def __init__(
        self, data: Mapping[str, Any] | None, *, batch: Batch, pools: list[Pool] | None = None
    ) -> None:
        super().__init__(data, batch=batch, pools=pools)
        self.fields["new_name"].required = self.asked is None

    def clean(self) -> dict[str, Any]:
        if not self.pools:
            self.add_error(None, "There is no pool that the full batch could be made of: draw one.")
        return self.cleaned_data


def chosen_qualification(study: Study, key: str) -> Qualification | None:
    if not (key.isascii() and key.isdecimal() and len(key) < 19):
        return None
    return queries.qualifications(study).filter(pk=int(key)).first()
