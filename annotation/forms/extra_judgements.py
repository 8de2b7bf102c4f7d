from django import forms

from annotation.actions.extra_judgement_plans import MOST_CAP
from stats.aggregation import consensus


class ExtraRoundForm(forms.Form):
    """The rule that does not settle the items, and the cap of extra judgements."""

    rule = forms.ChoiceField(choices=[(name, name) for name in consensus.RULES])
    cap = forms.IntegerField(
        label="Further judgements of an item, at most",
        min_value=1,
        max_value=MOST_CAP,
        help_text=f"1 to {MOST_CAP}, asked for one at a time: an item that settles is asked no more.",
    )
