"""The user's own API tokens, listed on the account page."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import guards, permissions
from accounts.actions import tokens
from accounts.actions.tokens import TokenError
from accounts.forms.users import NewTokenForm
from accounts.guards import PersonRequest
from accounts.models import ApiToken, User

FORM_METHODS = ["GET", "HEAD", "POST"]


@never_cache
@require_http_methods(FORM_METHODS)
@guards.signed_in
def new(request: PersonRequest) -> HttpResponse:
    """Create a token and show it in the response to the form: it is stored nowhere."""
    if not permissions.may_use_api(request.user):
        raise PermissionDenied("Tokens are for requesters and adjudicators.")
    form = NewTokenForm(request.POST or None)
    if form.is_valid():
        try:
            api_token, token = tokens.make(**form.cleaned_data, by=request.user)
        except TokenError as error:
            form.add_error(None, f"Nothing was made: {error}.")
        else:
            return render(request, "accounts/token_made.html", {"made": api_token, "token": token})
    is_refused = request.method == "POST"
    context = {"form": form, "tokens": token_rows(request.user)}
    return render(request, "accounts/tokens.html", context, status=400 if is_refused else 200)


@require_http_methods(FORM_METHODS)
@guards.signed_in
def revoke(request: PersonRequest, number: int) -> HttpResponse:
    found = get_object_or_404(ApiToken, user=request.user, pk=number)
    if request.method == "POST":
        tokens.revoke(token=found, by=request.user)
        messages.success(request, f"The token “{found.name}” is revoked.")
        return redirect("token_new")
    context = {
        "title": f"Revoke the token “{found.name}”?",
        "consequences": [
            "Programs that use it are refused from now on. It cannot be restored; you can create another.",
        ],
        "button": "Revoke",
        "tone": "danger",
        "back": reverse("token_new"),
    }
    return render(request, "_components/confirm.html", context)


def token_rows(user: User) -> list[dict[str, Any]]:
    """Return the user's tokens with their state, valid ones first."""
    now = timezone.now()
    rows = [{"token": each, "state": _state(each, now)} for each in user.api_tokens.all()]
    return sorted(rows, key=lambda each: each["state"] != "works")


def _state(token: ApiToken, now: datetime) -> str:
    if token.revoked_at is not None:
        return "revoked"
    return "expired" if token.expires_at <= now else "works"
