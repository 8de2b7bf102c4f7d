"""One's own second factor: set up, new recovery codes, turned off."""

from collections.abc import Callable
from datetime import timedelta
from itertools import groupby
from typing import Any, TypeVar

from django.contrib import auth, messages
from django.core import signing
from django.http import HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts import guards, one_time_codes, permissions
from accounts.actions import second_factors
from accounts.actions.second_factors import (
    CodesLockedError,
    SecondFactorError,
    WrongCodeError,
)
from accounts.forms.users import CodeForm, SecondFactorForm
from accounts.guards import PersonRequest
from accounts.models import SecondFactor
from accounts.views import next_page, second_step

T = TypeVar("T")
FORM_METHODS = ["GET", "HEAD", "POST"]
# How long a form can be sent after it was shown.
FORM_LASTS = timedelta(hours=1)


@sensitive_post_parameters()
@never_cache
@require_http_methods(FORM_METHODS)
@guards.signed_in
def second_factor(request: PersonRequest) -> HttpResponse:
    """Show the second factor, or set one up by its first code."""
    factor = second_factors.of_user(request.user)
    if factor is not None:
        return _render_state(request, factor)
    salt = _sent_salt(request) or second_factors.new_salt()
    form = SecondFactorForm(request.POST or None, request=request)
    if form.is_valid():
        try:
            codes = second_factors.set_up(
                salt=salt, code=form.cleaned_data["code"], by=request.user
            )
        except WrongCodeError:
            form.add_error(
                "code",
                "This is not the code of the key on this page. Is the clock of your phone right?",
            )
        except SecondFactorError:  # from another tab, at the same time
            return redirect("second_factor")
        else:
            # This session goes on; the others have ended.
            request.user.refresh_from_db()
            auth.update_session_auth_hash(request, request.user)
            return _render_codes(request, codes, is_new=True)
    secret = second_factors.secret(request.user, salt)
    context = {
        "form": form,
        "next": next_page.next_href(request, otherwise="account"),
        "signed_salt": signing.dumps(salt, salt=_purpose(request)),
        "key": one_time_codes.key(secret),
        "qr_code": _qr_code(request, secret),
    }
    return render(request, "accounts/second_factor_new.html", context)


@sensitive_post_parameters()
@never_cache
@require_http_methods(FORM_METHODS)
@guards.signed_in
def new_codes(request: PersonRequest) -> HttpResponse:
    """Replace the recovery codes, and show the new ones this once."""

    def show(codes: list[str]) -> HttpResponse:
        return _render_codes(request, codes, is_new=False)

    act = second_factors.make_recovery_codes
    return _act_with_code(request, act, then=show, template="accounts/recovery_codes_new.html")


@sensitive_post_parameters()
@never_cache
@require_http_methods(FORM_METHODS)
@guards.signed_in
def turn_off(request: PersonRequest) -> HttpResponse:
    def say(_: None) -> HttpResponse:
        messages.success(
            request, "Your second factor is turned off: the password alone signs you in."
        )
        return redirect("account")

    act = second_factors.remove_own
    return _act_with_code(request, act, then=say, template="accounts/second_factor_off.html")


def _act_with_code(
    request: PersonRequest,
    act: Callable[..., T],
    *,
    then: Callable[[T], HttpResponse],
    template: str,
) -> HttpResponse:
    """Ask for a code and act with it; `then` makes the response of what the act returned."""
    form = CodeForm(request.POST or None)
    if form.is_valid():
        try:
            done = act(code=form.cleaned_data["code"], by=request.user)
        except WrongCodeError:
            form.add_error("code", second_step.WRONG_CODE)
        except CodesLockedError as error:
            return second_step.locked(request, error)
        except SecondFactorError:
            return redirect("second_factor")
        else:
            return then(done)
    if not permissions.has_second_factor(request.user):
        return redirect("second_factor")
    context = {"form": form, "studies": permissions.studies_with_second_factor(request.user)}
    return render(request, template, context)


def _render_state(request: PersonRequest, factor: SecondFactor) -> HttpResponse:
    context = {
        "factor": factor,
        "n_codes": second_factors.n_recovery_codes(request.user),
        "studies": permissions.studies_with_second_factor(request.user),
    }
    return render(request, "accounts/second_factor.html", context)


def _render_codes(request: PersonRequest, codes: list[str], *, is_new: bool) -> HttpResponse:
    """Show the codes in the response to the form: they are stored nowhere."""
    context = {
        "codes": codes,
        "is_new": is_new,
        "next": next_page.next_href(request, otherwise="second_factor"),
    }
    return render(request, "accounts/recovery_codes.html", context)


def _sent_salt(request: PersonRequest) -> str | None:
    """Return the salt of the form that was sent, so that its key stays; None if the page is too old.

    The form carries it, signed for the person: nothing is written until the factor is set up.
    """
    try:
        sent = request.POST.get("signed_salt", "")
        salt: str = signing.loads(sent, salt=_purpose(request), max_age=FORM_LASTS)
    except signing.BadSignature:
        return None
    return salt


def _purpose(request: PersonRequest) -> str:
    return f"{__name__} {request.user.pk}"


def _qr_code(request: PersonRequest, secret: bytes) -> dict[str, Any]:
    """Return the outline of the dark squares, each one wide, and how many squares a side has."""
    import segno  # noqa: PLC0415  of the whole server this page alone needs it

    host, _ = split_domain_port(request.get_host())
    address = one_time_codes.address(secret, name=f"{request.user.username} at {host}")
    image = segno.make_qr(address, error="m")
    outlines = []
    for y, row in enumerate(image.matrix_iter(border=4)):
        x = 0
        for is_dark, squares in groupby(row):
            n = len(list(squares))
            if is_dark:
                outlines.append(f"M{x} {y}h{n}v1h-{n}z")
            x += n
    return {"size": image.symbol_size(border=4)[0], "outline": "".join(outlines)}
