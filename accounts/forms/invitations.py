from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone

from accounts.forms.users import NewPersonForm, max_length_of
from accounts.models import INVITATION_ROLES, Invitation, Role

MOST_DAYS = 365


class InvitationForm(forms.Form):
    role = forms.ChoiceField(
        choices=INVITATION_ROLES,
        widget=forms.RadioSelect,
        initial=Role.ANNOTATOR.value,
        label="Role",
    )
    n_most = forms.IntegerField(
        label="Maximum of people",
        min_value=1,
        max_value=100_000,
        initial=1,
        required=False,
        help_text="Empty: no limit.",
    )
    days = forms.IntegerField(label="Open for (days)", min_value=1, max_value=MOST_DAYS, initial=14)
    note = forms.CharField(
        label="Note",
        max_length=max_length_of(Invitation, "note"),
        required=False,
        help_text="For you: whom it is meant for, or where it was posted.",
    )

    def expires_at(self) -> datetime:
        return timezone.now() + timedelta(days=self.cleaned_data["days"])


class JoinForm(forms.Form):
    """Joins a signed-in user to a study; they agree to its text if it has one."""

    agrees = forms.BooleanField(
        label="I have read this and agree.",
        error_messages={"required": "Without your consent you cannot take part."},
    )

    def __init__(self, *args: Any, has_text: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        if not has_text:
            del self.fields["agrees"]


class JoinAsNewForm(JoinForm, NewPersonForm):
    """Joins a person who has no user yet."""

    field_order = ("name", "password", "again", "agrees")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["name"].help_text = (
            "Letters, digits and @ . + - _ only. It need not be your real name:"
            " the organisers see it, other people in the study do not."
        )
