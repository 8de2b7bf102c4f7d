"""What an annotator sends from the desk."""

from typing import Any

from django import forms

from annotation.actions.judging import UNMEASURED, Submission
from annotation.models.limits import LONGEST_REASON
from annotation.schemes import ChoiceScheme


class SubmissionForm(forms.Form):
    """A judgement, and how it came about. Nothing is chosen beforehand."""

    label = forms.ChoiceField(widget=forms.RadioSelect)
    comment = forms.CharField(
        required=False,
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        help_text="Whoever settles disputes reads it.",
    )
    client_id = forms.CharField(max_length=64, widget=forms.HiddenInput)
    shown_at = forms.DateTimeField(widget=forms.HiddenInput)
    active_seconds = forms.FloatField(required=False, min_value=0, widget=forms.HiddenInput)

    def __init__(self, scheme: ChoiceScheme, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.scheme = scheme
        label = self.fields["label"]
        label.label = scheme.asks
        label.choices = [(option.label, option.words) for option in scheme.options]  # type: ignore[attr-defined]
        keys = [option.key for option in scheme.options]
        label.error_messages["required"] = label.error_messages["invalid_choice"] = (
            f"Choose {', '.join(keys[:-1])} or {keys[-1]}: nothing is saved yet."
        )

    def submission(self) -> Submission:
        said = self.cleaned_data
        measured = said["active_seconds"]
        return Submission(
            client_id=said["client_id"],
            response=self.scheme.response(said["label"]),
            shown_at=said["shown_at"],
            active_seconds=UNMEASURED if measured is None else measured,
            comment=said["comment"],
        )


class SkipForm(forms.Form):
    reason = forms.CharField(
        label="Why do you skip this item?",
        help_text="Somebody else gets it; to you it does not come back.",
        max_length=LONGEST_REASON,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )


class FlagForm(forms.Form):
    message = forms.CharField(
        label="What is wrong with this item, or what do you want to ask?",
        help_text="The requester reads it and can answer. You can judge the item all the same.",
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
    )
