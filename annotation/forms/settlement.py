"""The form of the settlement of a batch."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from stats.aggregation import consensus

RULES = {
    "unanimous": "unanimous: all annotators give the same label, otherwise the item is disputed",
    "majority": "majority: more than half give the same label, otherwise the item is disputed",
    "posterior": f"posterior: a label is at least {100 * consensus.LEVEL:.0f} % likely, given the estimated error rates of"
    " the annotators, otherwise the item is disputed; two differing judgements are always disputed",
}


def _rule_choices(rules: Iterable[str], figures: Mapping[str, str]) -> list[tuple[str, str]]:
    """Each of these rules in words, with its sentence in `figures` if it has one."""
    words = {name: RULES.get(name, name) for name in rules}
    return [
        (name, f"{text}. {figures[name]}" if name in figures else text)
        for name, text in words.items()
    ]


def _held_items_in_words(n: int) -> str:
    return "item that somebody still holds" if n == 1 else f"{n} items that people still hold"


class SettleForm(forms.Form):
    """The consensus rule, and whether open claims are ended."""

    rule = forms.ChoiceField(choices=_rule_choices(consensus.RULES, {}), widget=forms.RadioSelect)
    expire_claims = forms.BooleanField(
        label="Release the items that people still hold",
        required=False,
        help_text="An item is held by who was assigned it, until they submit it or their time is over."
        " While one is held the batch is not settled.",
    )

    def __init__(
        self,
        n_held: int,
        figures: Mapping[str, str],
        *args: Any,
        rules: Iterable[str] = tuple(consensus.RULES),
        **options: Any,
    ) -> None:
        """`n_held` items are held by somebody; `figures` are sentences on what each rule would do, if computed.

        The question about them is left out where there are none: in a closed batch nobody is given more.
        """
        super().__init__(*args, **options)
        rule = self.fields["rule"]
        if isinstance(rule, forms.ChoiceField):
            rule.choices = _rule_choices(rules, figures)
        if n_held:
            self.fields["expire_claims"].label = f"Release the {_held_items_in_words(n_held)}"
        else:
            del self.fields["expire_claims"]
