"""A run as a row of the table in which names and descriptions are edited."""

from typing import Any

from django import forms

from corpus.actions.run_descriptions import FIELDS, KINDS, fingerprint
from corpus.models import Run


class RunRowForm(forms.Form):
    """The values of a run. `seen` tells whether somebody else changed them meanwhile."""

    name = forms.CharField(required=False, max_length=200)
    team = forms.CharField(required=False, max_length=200)
    system = forms.CharField(required=False, max_length=200)
    setup = forms.CharField(
        required=False, max_length=200, widget=forms.TextInput(attrs={"list": "setups"})
    )
    kind = forms.ChoiceField(choices=[(kind, kind) for kind in KINDS])
    seen = forms.CharField(widget=forms.HiddenInput)

    @classmethod
    def for_run(cls, run: Run, data: Any = None) -> "RunRowForm":
        """Return the row of the run, with what was sent, `data`."""
        initial = {field: getattr(run, field) for field in FIELDS} | {"seen": fingerprint(run)}
        prefix = f"run-{run.pk}"
        form = cls(data, initial=initial, prefix=prefix)
        for field in FIELDS:
            form.fields[field].widget.attrs["aria-label"] = f"{field.capitalize()} of {run.name}"
        return form

    @property
    def values(self) -> dict[str, str]:
        return {field: self.cleaned_data[field] for field in FIELDS}
