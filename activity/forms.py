from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db.models import Model
from django.utils import timezone

from accounts.forms import NewPersonForm, UserNameField
from accounts.models import INVITED_TO, Invitation, Role, Study, User, not_new

MOST_DAYS = 365


class PersonField(forms.CharField):
    """The name of a user that is there; cleaned, the user."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=150, **options)
        self.widget.attrs |= {"autocomplete": "off", "autocapitalize": "none"}

    def clean(self, value: Any) -> User | None:
        name = super().clean(value)
        if not name:
            return None
        user = User.objects.filter(username=name, is_simulated=False).first()
        if user is None:
            raise ValidationError(f"There is no user {name}. Small and capital letters differ.")
        return user


def longest(model: type[Model], field: str) -> int | None:
    """How many letters the column takes."""
    most: int | None = getattr(model._meta.get_field(field), "max_length", None)
    return most


# What a slug may hold, in one sentence; the model's own check says it in Django's words.
short_name = RegexValidator(
    r"^[-a-zA-Z0-9_]+\Z",
    "Use only letters (a to z, A to Z), digits, hyphens and underscores, and no spaces.",
)


class NewStudyForm(forms.Form):
    title = forms.CharField(
        label="Title", max_length=longest(Study, "title"), help_text="Its name for people."
    )
    slug = forms.CharField(
        label="Short name",
        max_length=longest(Study, "slug"),
        validators=[short_name, not_new],
        help_text="For addresses and commands: letters (a to z, A to Z), digits, hyphens and underscores, no spaces. It stays as it is.",
    )


class NewStudyForSomebodyForm(NewStudyForm):
    """An administrator's: a study of theirs, or somebody else's."""

    requester = PersonField(label="Requester", help_text="The user who organises the study.")


class StudySettingsForm(forms.Form):
    title = forms.CharField(label="Title", max_length=longest(Study, "title"))
    description = forms.CharField(
        label="Description",
        required=False,
        widget=forms.Textarea,
        help_text="What people read of the study when they are invited. Markdown.",
    )
    licence = forms.CharField(
        label="Licence",
        max_length=longest(Study, "licence"),
        required=False,
        help_text="Of what the study gives out; it stands in each release.",
    )
    citation = forms.CharField(
        label="Citation",
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="How the study wants to be cited; it stands in each release.",
    )
    consent = forms.CharField(
        label="Consent",
        required=False,
        widget=forms.Textarea(attrs={"rows": 14}),
        help_text="What annotators agree to before they judge. Markdown. Once it is changed they are asked"
        " again. Left empty, nothing is asked.",
    )

    def clean(self) -> dict[str, Any]:
        """Lines end as they do everywhere else: a browser's would be another text to agree to."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        return {name: text.replace("\r\n", "\n") for name, text in cleaned.items()}


class InvitationForm(forms.Form):
    role = forms.ChoiceField(
        choices=INVITED_TO, widget=forms.RadioSelect, initial=Role.ANNOTATOR.value, label="Role"
    )
    n_most = forms.IntegerField(
        label="How many people may come by it",
        min_value=1,
        max_value=100_000,
        initial=1,
        required=False,
        help_text="Leave it empty for as many as there are.",
    )
    days = forms.IntegerField(
        label="How many days it is open", min_value=1, max_value=MOST_DAYS, initial=14
    )
    note = forms.CharField(
        label="Note",
        max_length=longest(Invitation, "note"),
        required=False,
        help_text="For you: whom it is meant for, or where it was posted.",
    )

    def expires_at(self) -> datetime:
        return timezone.now() + timedelta(days=self.cleaned_data["days"])


class RolesForm(forms.Form):
    roles = forms.MultipleChoiceField(
        label="Roles", choices=Role.choices, widget=forms.CheckboxSelectMultiple, required=False
    )

    def wanted(self) -> list[Role]:
        return [Role(role) for role in self.cleaned_data["roles"]]


class NewUserForm(forms.Form):
    name = UserNameField()
    is_administrator = forms.BooleanField(
        label="Administrator: makes users and studies", required=False
    )


class RequesterForm(forms.Form):
    person = PersonField(label="User name", help_text="They become requester of the study.")


class JoinForm(forms.Form):
    """Somebody who is here comes into a study; where it has a text, they agree to it."""

    agrees = forms.BooleanField(
        label="I have read this and agree.",
        error_messages={"required": "Without your consent you cannot take part."},
    )

    def __init__(self, *args: Any, has_text: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        if not has_text:
            del self.fields["agrees"]


class JoinAsNewForm(JoinForm, NewPersonForm):
    """Somebody who is not here yet."""

    field_order = ("name", "password", "again", "agrees")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["name"].help_text = (
            "Letters, digits and @ . + - _ only. It need not be your real name:"
            " the organisers see it, other people in the study do not."
        )
