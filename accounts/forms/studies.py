from typing import Any

from django import forms
from django.core.validators import RegexValidator

from accounts import background_questions, permissions
from accounts.background_questions import BackgroundTextError
from accounts.forms.users import PersonField, max_length_of
from accounts.models import Role, Study, User, not_new
from pages.words import sentence

# What a slug may hold, in one sentence; the model's own check says it in Django's words.
short_name = RegexValidator(
    r"^[-a-zA-Z0-9_]+\Z",
    "Use only letters (a to z, A to Z), digits, hyphens and underscores, and no spaces.",
)


class NewStudyForm(forms.Form):
    title = forms.CharField(
        label="Title", max_length=max_length_of(Study, "title"), help_text="Its name for people."
    )
    slug = forms.CharField(
        label="Short name",
        max_length=max_length_of(Study, "slug"),
        validators=[short_name, not_new],
        help_text="For addresses and commands: letters (a to z, A to Z), digits, hyphens and underscores, no spaces. It stays as it is.",
    )


class NewStudyForSomebodyForm(NewStudyForm):
    """A new study, made by an administrator for themselves or for another user."""

    requester = PersonField(label="Requester", help_text="The user who organises the study.")


BACKGROUND_EXAMPLE = "How well do you read English?\n( ) Well\n( ) With effort"


class StudySettingsForm(forms.Form):
    title = forms.CharField(label="Title", max_length=max_length_of(Study, "title"))
    description = forms.CharField(
        label="Description",
        required=False,
        widget=forms.Textarea,
        help_text="What people read of the study when they are invited. Markdown.",
    )
    licence = forms.CharField(
        label="Licence",
        max_length=max_length_of(Study, "licence"),
        required=False,
        help_text="Of the study's releases; each release has it.",
    )
    citation = forms.CharField(
        label="Citation",
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="How the study should be cited; each release has it.",
    )
    contact_name = forms.CharField(
        label="Contact",
        max_length=max_length_of(Study, "contact_name"),
        required=False,
        help_text="Who asks, as annotators read it beside their work and in the invitation. Empty: the user"
        " name of who made the batch.",
    )
    contact_address = forms.CharField(
        label="How to reach the contact",
        max_length=max_length_of(Study, "contact_address"),
        required=False,
        help_text="An e-mail address, a web address, or words.",
    )
    consent = forms.CharField(
        label="Consent",
        required=False,
        widget=forms.Textarea(attrs={"rows": 14}),
        help_text="What annotators agree to before they judge. Markdown. Once it is changed they are asked"
        " again. Left empty, nothing is asked.",
    )
    background = forms.CharField(
        label="Background questions",
        required=False,
        widget=forms.Textarea(attrs={"rows": 8, "placeholder": BACKGROUND_EXAMPLE}),
        help_text="What annotators are asked about themselves, once, after the consent; they can skip each. A"
        " question, then its choices, each after ( ), or a line ___ for an answer in words; an empty line between two"
        " questions. Whoever answered is asked only what is new.",
    )

    requires_second_factor = forms.BooleanField(
        label="Requesters and adjudicators need a second factor", required=False
    )

    def __init__(self, *args: Any, person: User, **options: Any) -> None:
        super().__init__(*args, **options)
        required = self.fields["requires_second_factor"]
        required.help_text = (
            "Without one they see no page of the study, and their API tokens do not work in it."
            " Annotators need none."
        )
        if not permissions.has_second_factor(person):
            required.disabled = True
            required.help_text += (
                " To require it, set one up for yourself first, on the page of your account."
            )

    def clean_background(self) -> str:
        """Return the questions in the one form that is kept. Raises ValidationError naming the line."""
        try:
            return background_questions.as_text(
                background_questions.read(self.cleaned_data["background"])
            )
        except BackgroundTextError as error:
            raise forms.ValidationError(sentence(str(error))) from error

    def clean(self) -> dict[str, Any]:
        """Normalise line ends: otherwise a browser would make the consent text a different one."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        return {
            name: value.replace("\r\n", "\n") if isinstance(value, str) else value
            for name, value in cleaned.items()
        }


class RolesForm(forms.Form):
    roles = forms.MultipleChoiceField(
        label="Roles", choices=Role.choices, widget=forms.CheckboxSelectMultiple, required=False
    )

    def selected_roles(self) -> list[Role]:
        return [Role(role) for role in self.cleaned_data["roles"]]


class RequesterForm(forms.Form):
    person = PersonField(label="User name", help_text="They become requester of the study.")
