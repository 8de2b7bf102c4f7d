from typing import Any

from django import forms

from corpus.models import plain_name
from sampling.forms.rules import GREATEST_SEED
from sampling.pairs.rule import DEFAULT_SIZE, MOST


class PairsForm(forms.Form):
    """How many pairs of accepted answers to draw."""

    name = forms.CharField(
        label="Name of the pool",
        max_length=100,
        validators=[plain_name],
        error_messages={"required": "Give the pool a name."},
    )
    n = forms.IntegerField(
        label="Pairs to draw",
        min_value=1,
        max_value=MOST,
        initial=DEFAULT_SIZE,
        help_text="At random, of all pairs of accepted answers of a question; all if there are fewer.",
    )
    seed = forms.IntegerField(
        label="Seed",
        min_value=0,
        max_value=GREATEST_SEED,
        initial=1,
        help_text="The same seed draws the same pairs in the same order.",
    )

    def settings(self) -> dict[str, Any]:
        """The keyword arguments for draw_pairs."""
        return {name: self.cleaned_data[name] for name in ("name", "n", "seed")}
