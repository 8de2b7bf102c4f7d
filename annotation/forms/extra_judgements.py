from django import forms

from annotation.actions.extra_judgements import MOST_CAP
from stats.aggregation import consensus


class More(forms.Form):
    """By which rule items did not settle, and how often each may be asked again."""

    rule = forms.ChoiceField(choices=[(name, name) for name in consensus.RULES])
    cap = forms.IntegerField(
        label="Further judgements of an item, at most",
        min_value=1,
        max_value=MOST_CAP,
        help_text=f"1 to {MOST_CAP}, asked for one at a time: an item that settles is asked no more.",
    )
