"""The rule of a pool of writing as a form."""

from collections.abc import Sequence
from typing import Any

from django import forms

from corpus.models import plain_name
from sampling.forms.rules import GREATEST_SEED, MOST
from sampling.writing.rule import LEAST_SENTENCES, WritingRule


class WritingForm(forms.Form):
    """The data set, the parts of it and how many of its questions people write answers to."""

    name = forms.CharField(
        label="Name of the pool",
        max_length=100,
        validators=[plain_name],
        error_messages={"required": "Give the pool a name."},
    )
    parts = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="From these parts of the data set",
        help_text="None chosen: from all.",
        error_messages={"invalid_choice": "The data set has no part %(value)s."},
    )
    n_questions = forms.IntegerField(
        label="Questions to draw",
        required=False,
        min_value=1,
        max_value=MOST,
        help_text="At random; all if there are fewer. Empty: all.",
    )
    min_sentences = forms.IntegerField(
        label="Sentences of the passage, at least",
        min_value=1,
        max_value=MOST,
        initial=LEAST_SENTENCES,
        help_text="Questions whose passage has fewer are left out.",
    )
    seed = forms.IntegerField(
        label="Seed",
        min_value=0,
        max_value=GREATEST_SEED,
        initial=1,
        help_text="The same seed draws the same questions.",
    )

    def __init__(self, *args: Any, parts: Sequence[str], **options: Any) -> None:
        super().__init__(*args, **options)
        if len(parts) > 1 or "parts" in self.data:
            self.fields["parts"].choices = [(part, part) for part in parts]  # type: ignore[attr-defined]
        else:
            del self.fields["parts"]

    def rule(self) -> WritingRule:
        """The rule of the valid form."""
        cleaned = self.cleaned_data
        return WritingRule(
            parts=tuple(cleaned.get("parts", ())),
            n_questions=cleaned["n_questions"],
            min_sentences=cleaned["min_sentences"],
            seed=cleaned["seed"],
        )
