"""The second step of a sign-in: after the password, the code of a second factor.

Between the steps the session, under a new key, holds whose password was right, and signs nobody in.
"""

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.actions import second_factors
from accounts.actions.second_factors import (
    Accepted,
    CodesLockedError,
    SecondFactorError,
    WrongCodeError,
)
from accounts.backends import SESSION_BACKEND, RealPeopleBackend
from accounts.forms.users import CodeForm
from accounts.models import User
from accounts.views import next_page, session_start
from pages.templatetags.pages import count

KEY = "password_was_right"
LASTS = timedelta(minutes=5)
WRONG_CODE = "This code is wrong, or was used already. Wait for the next one of your app."


def ask_for_code(request: HttpRequest, user: User, then: str = "") -> HttpResponse:
    """Redirect somebody whose password was right to the page that asks for the code, then to `then`."""
    request.session.flush()
    request.user = AnonymousUser()
    request.session[KEY] = {
        "user": user.pk,
        # Ends with the password, as a session does.
        "hash": user.get_session_auth_hash(),
        "until": (timezone.now() + LASTS).timestamp(),
    }
    href = reverse("sign_in_code")
    return redirect(f"{href}?{urlencode({'next': then})}" if then else href)


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def code(request: HttpRequest) -> HttpResponse:
    """Sign in whoever has passed the first step and knows a code."""
    href = next_page.next_href(request)
    person = _person(request)
    if person is None:
        return redirect(f"{reverse('sign_in')}?{urlencode({'next': href})}")
    form = CodeForm(request.POST or None)
    if form.is_valid():
        try:
            accepted = second_factors.check(code=form.cleaned_data["code"], by=person)
        except WrongCodeError:
            form.add_error("code", WRONG_CODE)
        except CodesLockedError as error:
            return locked(request, error)
        except (
            SecondFactorError
        ):  # removed meanwhile: the password is asked for again, and is enough
            return redirect("sign_in")
        else:
            del request.session[KEY]
            session_start.begin(request, person, backend=SESSION_BACKEND)
            _say(request, accepted, person)
            return redirect(href)
    return render(request, "accounts/sign_in_code.html", {"form": form, "next": href})


def locked(request: HttpRequest, error: CodesLockedError) -> HttpResponse:
    """Return the page after too many wrong codes."""
    seconds = max(1, round((error.free_at - timezone.now()).total_seconds()))
    context = {"free_at": error.free_at, "n_minutes": -(-seconds // 60)}
    page = render(request, "accounts/codes_locked.html", context, status=429)
    page["Retry-After"] = str(seconds)
    return page


def _person(request: HttpRequest) -> User | None:
    """Return whose password was right in this session a short while ago, if they may still sign in."""
    held = request.session.get(KEY)
    if held is None or timezone.now().timestamp() > held["until"]:
        return None
    person = RealPeopleBackend().get_user(held["user"])
    if person and constant_time_compare(held["hash"], person.get_session_auth_hash()):
        return person
    return None


def _say(request: HttpRequest, accepted: Accepted, person: User) -> None:
    if accepted.is_recovery_code:
        left = count(second_factors.n_recovery_codes(person), "recovery code")
        messages.info(request, f"This recovery code is used up: you have {left} left.")
    if accepted.was_locked:
        messages.warning(
            request,
            "Too many wrong codes were entered for you. If that was somebody else, they know your"
            " password: change it on the page of your account.",
        )
