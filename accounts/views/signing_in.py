from typing import Any

from django.contrib import auth, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts import permissions
from accounts.actions import first_steps, sign_ins, throttle
from accounts.forms.users import SignInForm
from accounts.views import next_page, second_step, session_start


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    if first_steps.is_needed():
        return redirect("first_steps")
    if request.user.is_authenticated:
        return redirect(next_page.next_href(request))
    form = SignInForm(request, request.POST or None)
    if form.is_valid():
        href = next_page.next_href(request)
        if permissions.has_second_factor(form.get_user()):
            return second_step.ask_for_code(request, form.get_user(), then=href)
        session_start.begin(request, form.get_user())
        return redirect(href)
    context = {"form": form, "next": request.POST.get("next") or request.GET.get("next", "")}
    return render(request, "accounts/sign_in.html", context)


def throttled(
    request: HttpRequest, response: HttpResponse, credentials: dict[str, Any]
) -> HttpResponse:
    """Return the page after too many wrong passwords (AXES_LOCKOUT_CALLABLE)."""
    wait = throttle.wait_of_request(request, credentials["username"])
    seconds = max(1, round((wait.free_at - timezone.now()).total_seconds()))
    context = {"wait": wait, "n_minutes": -(-seconds // 60)}
    page = render(request, "accounts/throttled.html", context, status=429)
    page["Retry-After"] = str(seconds)
    return page


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        sign_ins.record_end(by=request.user)
    auth.logout(request)
    messages.success(request, "You are signed out.")
    return redirect("sign_in")
