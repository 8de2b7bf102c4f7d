"""The form that copies a study."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms

from accounts.forms.studies import NewStudyForm
from accounts.models import Membership


class CopyForm(NewStudyForm):
    """Title and short name of the copy, and who is in it."""

    people = forms.MultipleChoiceField(
        label="People",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="They have the same roles in the copy, and see it at once. Whoever judges there is asked for"
        " consent again.",
    )

    def __init__(self, *args: Any, members: Sequence[Membership], **options: Any) -> None:
        super().__init__(*args, **options)
        self.by_key = {str(each.pk): each for each in members}
        if not members:
            del self.fields["people"]
            return
        field = cast(forms.MultipleChoiceField, self.fields["people"])
        field.choices = [(key, _in_words(each)) for key, each in self.by_key.items()]

    def chosen_people(self) -> list[Membership]:
        return [self.by_key[key] for key in self.cleaned_data.get("people", ())]


def _in_words(membership: Membership) -> str:
    roles = ", ".join(sorted(grant.role for grant in membership.grants.all()))
    return f"{membership.user.username} ({roles})"
