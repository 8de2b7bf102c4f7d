"""The forms of reserved items: reserve some for a person, reassign what is left of some people's."""

from collections.abc import Sequence
from typing import Any

from django import forms

from accounts.models import User
from annotation.models.limits import LONGEST_REASON
from annotation.reserved_items_csv import MOST_ROWS

NUMBER, SHARE, LIST = "number", "share", "list"
EVERYBODY = "everybody"
# Of a list that is pasted into the page: some ten thousand ids.
LONGEST_LIST = 400_000


class ReserveForm(forms.Form):
    """Whom to reserve items for, and which: a number or a share drawn at random, or those of a list."""

    person = forms.ChoiceField(label="For")
    what = forms.ChoiceField(
        label="Which items",
        choices=[
            (NUMBER, "a number of items, drawn at random"),
            (SHARE, "a share of the batch, drawn at random"),
            (LIST, "those of a list"),
        ],
        initial=NUMBER,
        widget=forms.RadioSelect,
    )
    n = forms.IntegerField(label="How many items", min_value=1, max_value=MOST_ROWS, required=False)
    share = forms.FloatField(
        label="Share of the batch, in %",
        min_value=0,
        max_value=100,
        required=False,
        widget=forms.NumberInput(attrs={"step": "any"}),
        help_text="Rounded up to whole items.",
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=2**31 - 1,
        initial=1,
        required=False,
        help_text="The same seed draws the same of the items that are free.",
    )
    names = forms.CharField(
        label="List",
        max_length=LONGEST_LIST,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
        help_text="One a line: the id of an item, or a question such as 7_1 for all of its items.",
    )

    def __init__(self, people: Sequence[User], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.people = {str(each.pk): each for each in people}
        choices = [(key, each.username) for key, each in self.people.items()]
        self.fields["person"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        field = {NUMBER: "n", SHARE: "share", LIST: "names"}.get(cleaned.get("what", ""))
        if field and field not in self.errors and not cleaned.get(field):
            self.add_error(field, "Say which items.")
        return cleaned

    @property
    def chosen_person(self) -> User:
        return self.people[self.cleaned_data["person"]]


class ReassignForm(forms.Form):
    """To whom what is left goes: somebody else, or everybody."""

    to = forms.ChoiceField(label="To")
    reason = forms.CharField(
        max_length=LONGEST_REASON,
        widget=forms.TextInput(attrs={"dir": "auto"}),
        help_text="Kept in the history. The people do not see it.",
    )

    def __init__(self, people: Sequence[User], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.people = {str(each.pk): each for each in people}
        choices = [(key, each.username) for key, each in self.people.items()]
        self.fields["to"].choices = [  # type: ignore[attr-defined]
            (EVERYBODY, "everybody: released"),
            *choices,
        ]

    @property
    def taker(self) -> User | None:
        """Return the person to whom the items go; None: everybody."""
        return self.people.get(self.cleaned_data["to"])
