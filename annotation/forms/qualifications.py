"""The forms of qualifications: a new one with its rule, and a decision on people."""

from typing import Any

from django import forms

from annotation.models.limits import LONGEST_REASON
from corpus.models import plain_name
from stats.qualification import MOST_ANSWERS, MOST_ATTEMPTS, Rule

RULE, GROUP = "rule", "group"
GRANT, REVOKE = "grant", "revoke"
DEFAULT = Rule()


class QualificationForm(forms.Form):
    """A qualification with its rule, or a group without one."""

    name = forms.CharField(
        max_length=100,
        validators=[plain_name],
        help_text="For organisers: annotators do not see it.",
    )
    kind = forms.ChoiceField(
        label="Who holds it",
        choices=[
            (RULE, "who answers well enough in a batch: a rule suggests"),
            (GROUP, "a group of people whom you choose: no rule"),
        ],
        initial=RULE,
        widget=forms.RadioSelect,
    )
    accuracy = forms.FloatField(
        label="Right answers, at least (share)",
        min_value=0,
        max_value=1,
        initial=DEFAULT.accuracy,
        required=False,
        widget=forms.NumberInput(attrs={"step": "0.01"}),
        help_text="The lower bound of the share must reach it: with 0.8, ten right of ten are enough, nine of ten are"
        " not.",
    )
    recall = forms.CharField(
        label="Right answers for single labels",
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One label a line with its share: malformed 0.6. Of the items whose expected label is this one.",
    )
    min_answers = forms.IntegerField(
        label="Answers, at least",
        min_value=1,
        max_value=MOST_ANSWERS,
        initial=DEFAULT.min_answers,
        required=False,
    )
    confidence = forms.FloatField(
        label="Confidence of each bound",
        min_value=0.5,
        max_value=0.999,
        initial=DEFAULT.confidence,
        required=False,
        widget=forms.NumberInput(attrs={"step": "0.001"}),
    )
    attempts = forms.IntegerField(
        label="Batches that a person may try in",
        min_value=1,
        max_value=MOST_ATTEMPTS,
        initial=DEFAULT.attempts,
        required=False,
    )
    acts = forms.BooleanField(
        label="The rule may decide",
        required=False,
        help_text="One button then grants it to everybody whom the rule lets in, and records whom it does not. Without"
        " this, the rule suggests and you tick the people.",
    )

    def clean_recall(self) -> dict[str, float]:
        bars: dict[str, float] = {}
        for number, line in enumerate(self.cleaned_data["recall"].splitlines(), start=1):
            if not line.strip():
                continue
            label, _, share = line.strip().rpartition(" ")
            try:
                bars[label.strip()] = float(share)
            except ValueError as error:
                raise forms.ValidationError(
                    f"Line {number}: write a label and a share, such as malformed 0.6."
                ) from error
        return bars

    def rule(self) -> dict[str, Any]:
        """The rule, with defaults for what is left empty; {} for a group."""
        cleaned = self.cleaned_data
        if cleaned["kind"] == GROUP:
            return {}
        numbers = ("accuracy", "min_answers", "confidence", "attempts")
        given = {name: cleaned[name] for name in numbers if cleaned[name] is not None}
        return {**given, "recall": cleaned["recall"], "acts": cleaned["acts"]}


class DecisionForm(forms.Form):
    """A decision on the ticked people."""

    act = forms.ChoiceField(choices=[(GRANT, "Grant"), (REVOKE, "Revoke")])
    reason = forms.CharField(
        max_length=LONGEST_REASON,
        help_text="Kept with the decision and in the history. The people do not see it: who loses it reads that they no"
        " longer work on the batch, and that what they judged stays.",
    )
