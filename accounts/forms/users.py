from typing import Any, cast

from django import forms
from django.contrib.auth.forms import AuthenticationForm, UsernameField
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import HttpRequest

from accounts.actions import throttle, tokens
from accounts.models import ERASED, ApiToken, User

PASSWORD_HELP = "8 characters or more; not a common password, and not like your user name."  # noqa: S105


class PasswordField(forms.CharField):
    """A password, with leading and trailing spaces.

    `kind` tells password managers which one it is.
    """

    def __init__(self, *, kind: str, **options: Any) -> None:
        widget = forms.PasswordInput(attrs={"autocomplete": f"{kind}-password"})
        super().__init__(strip=False, max_length=4096, widget=widget, **options)


class UserNameField(UsernameField):
    def __init__(self, **options: Any) -> None:
        field = User._meta.get_field("username")
        options.setdefault("label", "User name")
        options.setdefault("help_text", "Letters, digits and @ . + - _ only.")
        super().__init__(
            max_length=field.max_length,
            validators=[
                UnicodeUsernameValidator(message="Use these characters only, and no spaces.")
            ],
            widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
            **options,
        )

    def clean(self, value: Any) -> str:
        name: str = super().clean(value)
        if name.lower().startswith(ERASED):
            raise ValidationError(
                f"No name begins with {ERASED} but those of people who were erased."
            )
        return name


class SignInForm(AuthenticationForm):
    username = UsernameField(
        label="User name",
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )
    password = PasswordField(kind="current", label="Password")
    error_messages = {
        "invalid_login": "No user has this name and this password. Small and capital letters differ.",
        "inactive": "No user has this name and this password. Small and capital letters differ.",
    }


class RevokeTokensForm(forms.Form):
    """Offers to revoke the API tokens of `person`, who may be None, where there are any."""

    def __init__(self, *args: Any, person: User | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.person = person
        if person is not None and (n_tokens := tokens.n_valid(person)):
            which = "the API token" if n_tokens == 1 else f"the {n_tokens} API tokens"
            self.fields["revoke_tokens"] = forms.BooleanField(
                label=f"Revoke {which} too, so that no program acts in your name any more",
                required=False,
                initial=True,
            )

    @property
    def revokes_tokens(self) -> bool:
        """Whether that was chosen. Read after is_valid()."""
        return bool(self.cleaned_data.get("revoke_tokens"))


class NewPasswordForm(RevokeTokensForm):
    """A new password, entered twice.

    `person` is its user; None if the form asks for the name too.
    """

    password = PasswordField(kind="new", label="New password", help_text=PASSWORD_HELP)
    again = PasswordField(kind="new", label="Confirm password")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        password, again = cleaned.get("password"), cleaned.get("again")
        if password and again and password != again:
            self.add_error("again", "The two passwords are not the same.")
        if password:
            try:
                validate_password(password, self.person or User(username=cleaned.get("name", "")))
            except ValidationError as error:
                self.add_error("password", error)
        return cleaned


def _own_password(password: str, request: HttpRequest) -> str:
    """Return the password of whoever is signed in. Wrong ones count as those of the sign-in do."""
    if not throttle.is_own_password(request, password):
        raise ValidationError("This is not your present password.")
    return password


class PasswordChangeForm(NewPasswordForm):
    """A new password together with the current one."""

    old = PasswordField(kind="current", label="Current password")
    field_order: tuple[str, ...] = ("old", "password", "again")

    def __init__(self, *args: Any, request: HttpRequest, **options: Any) -> None:
        super().__init__(*args, person=cast("User", request.user), **options)
        self.request = request

    def clean_old(self) -> str:
        return _own_password(self.cleaned_data["old"], self.request)


class NewPersonForm(NewPasswordForm):
    """A new user, entered by themselves."""

    name = UserNameField()
    field_order: tuple[str, ...] = ("name", "password", "again")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["password"].label = "Password"


class CodeForm(forms.Form):
    """A code of an app, or a recovery code: both are digits."""

    code = forms.CharField(
        label="Code",
        max_length=100,
        help_text="The six digits that your app shows now, or one of your recovery codes.",
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )


class SecondFactorForm(CodeForm):
    """The first code of a new second factor, together with the password."""

    password = PasswordField(kind="current", label="Current password")

    def __init__(self, *args: Any, request: HttpRequest, **options: Any) -> None:
        super().__init__(*args, **options)
        self.request = request
        self.fields["code"].help_text = "The six digits that the app shows now."

    def clean_password(self) -> str:
        return _own_password(self.cleaned_data["password"], self.request)


class ConsentForm(forms.Form):
    """Agreement to a text; `text` is the hash of the text on the page."""

    text = forms.CharField(widget=forms.HiddenInput)
    next = forms.CharField(widget=forms.HiddenInput, required=False)


MOST_TOKEN_DAYS = 365


class NewTokenForm(forms.Form):
    name = forms.CharField(
        label="Name",
        max_length=ApiToken._meta.get_field("name").max_length,
        help_text="For you: which program uses it.",
    )
    days = forms.IntegerField(
        label="Valid for (days)", min_value=1, max_value=MOST_TOKEN_DAYS, initial=90
    )


def max_length_of(model: type[Model], field: str) -> int | None:
    """Return the maximum length of the column, in characters."""
    most: int | None = getattr(model._meta.get_field(field), "max_length", None)
    return most


class PersonField(forms.CharField):
    """The name of an existing user; `clean` returns the user."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=150, **options)
        self.widget.attrs |= {"autocomplete": "off", "autocapitalize": "none"}

    def clean(self, value: Any) -> User | None:
        name = super().clean(value)
        if not name:
            return None
        user = User.objects.filter(username=name, is_simulated=False).first()
        if user is None or user.is_erased:
            raise ValidationError(f"There is no user {name}. Small and capital letters differ.")
        return user


class NewUserForm(forms.Form):
    name = UserNameField()
    is_administrator = forms.BooleanField(
        label="Administrator: makes users and studies", required=False
    )
