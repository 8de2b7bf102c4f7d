from collections.abc import Sequence
from typing import Any

from django import forms

from annotation.models.limits import LONGEST_REASON
from annotation.queries.guideline_issues import WHOLE
from annotation.schemes import Scheme, VerdictScheme


def reason(label: str = "Reason") -> forms.CharField:
    return forms.CharField(
        label=label, max_length=LONGEST_REASON, widget=forms.TextInput(attrs={"dir": "auto"})
    )


class Adjudicate(forms.Form):
    """The label that ends a dispute, and why. Nothing is chosen beforehand."""

    reason = reason()

    field_order = ("label", "reason")

    def __init__(self, scheme: Scheme, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        shown = scheme.options if isinstance(scheme, VerdictScheme) else ()
        choices = [(option.label, f"{option.key} {option.words}") for option in shown]
        self.fields["label"] = forms.ChoiceField(
            label=scheme.asks, choices=choices, widget=forms.RadioSelect
        )
        self.order_fields(self.field_order)


class Decide(forms.Form):
    """A decision on an item that needs a reason and nothing else: exclude, readmit."""

    reason = reason()


class Unclear(forms.Form):
    """Where the guideline is unclear: one of its headings, or all of it."""

    def __init__(self, sections: Sequence[str], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        choices = [("", WHOLE.capitalize()), *((each, each) for each in sections)]
        self.fields["section"] = forms.ChoiceField(
            label="Which part of it?", choices=choices, required=False
        )


class Remark(forms.Form):
    text = reason("Note")
