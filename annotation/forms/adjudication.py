from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from annotation import curating
from annotation.models.limits import LONGEST_REASON
from annotation.queries.guideline_issues import WHOLE
from annotation.schemes import Scheme, SettledScheme, curation
from annotation.schemes.base import Payload


def reason_field(
    label: str = "Reason", required: str = "Write the reason: it is kept with the decision."
) -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=LONGEST_REASON,
        widget=forms.TextInput(attrs={"dir": "auto"}),
        error_messages={"required": required},
    )


class AdjudicationForm(forms.Form):
    """The label of an item and the reason. No label is preselected.

    `changes` is the label of an item that is settled: to change it needs a confirmation.
    """

    reason = reason_field()
    confirm = forms.BooleanField(error_messages={"required": "Tick this to change a settled item."})

    field_order = ("label", "reason", "confirm")

    def __init__(self, scheme: Scheme, *args: Any, changes: str = "", **options: Any) -> None:
        super().__init__(*args, **options)
        if changes:
            self.fields["confirm"].label = f"Change the label of this settled item ({changes})"
        else:
            del self.fields["confirm"]
        options_of_scheme = scheme.options if isinstance(scheme, SettledScheme) else ()
        choices = [(option.label, f"{option.key} {option.words}") for option in options_of_scheme]
        self.fields["label"] = forms.ChoiceField(
            label=scheme.asks,
            choices=choices,
            widget=forms.RadioSelect,
            error_messages={"required": "Choose a label."},
        )
        self.order_fields(self.field_order)

    def clean(self) -> dict[str, Any]:
        """The label and the reason: the confirmation is of the form alone."""
        cleaned = super().clean() or {}
        return {name: value for name, value in cleaned.items() if name != "confirm"}


class CurationForm(AdjudicationForm):
    """The label of a curated question, its texts, and the reason.

    `payload` is the item's. The texts are the original ones until `taken` (a response) says others.
    """

    def __init__(
        self,
        scheme: Scheme,
        payload: Payload,
        *args: Any,
        taken: Mapping[str, str] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(scheme, *args, **options)
        self.original = curation.originals(payload)
        texts = self.original | (curating.edits(taken) if taken else {})
        for field in self.original:
            self.fields[field] = forms.CharField(
                label=field.capitalize(),
                required=field != "proof",
                strip=False,
                initial=texts[field],
                widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
                help_text="Empty: the text has none." if field == "proof" else "",
            )
        types = curation.types(payload)
        if len(types) > 1:
            self.fields[curating.TYPE] = forms.ChoiceField(
                label="Type",
                choices=[(each, each) for each in types],
                initial=(taken or {}).get(curating.TYPE, payload["made"]["type"]),
            )
        self.fields[curating.PROMOTE] = forms.BooleanField(
            label="A good example for making further questions",
            required=False,
            initial=curating.PROMOTE in (taken or {}),
        )
        self.order_fields(("label", *self.original, curating.TYPE, curating.PROMOTE, "reason"))

    def clean(self) -> dict[str, Any]:
        """The label, the reason and the response of the scheme that the texts make."""
        cleaned = super().clean()
        label = cleaned.get("label", "")
        response = curating.whole_response(label, self.original, cleaned)
        if label != curating.REJECTED:
            response |= {name: cleaned[name] for name in (curating.TYPE,) if name in cleaned}
            response |= {curating.PROMOTE: curating.TICK} if cleaned.get(curating.PROMOTE) else {}
        return {name: cleaned[name] for name in ("label", "reason") if name in cleaned} | {
            "response": response
        }


class ReasonForm(forms.Form):
    """The reason for excluding or readmitting an item."""

    reason = reason_field()


class UnclearSectionForm(forms.Form):
    """The section of the guideline that is unclear; empty for all of it."""

    def __init__(self, sections: Sequence[str], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        choices = [("", WHOLE.capitalize()), *((each, each) for each in sections)]
        self.fields["section"] = forms.ChoiceField(
            label="Which part of it?", choices=choices, required=False
        )


class NoteForm(forms.Form):
    text = reason_field("Note", "Write the note.")
