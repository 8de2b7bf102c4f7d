from django.conf import settings
from django.contrib import auth, messages
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts import guards, permissions
from accounts.actions import passwords, sessions, sign_ins
from accounts.actions.passwords import LinkEndedError
from accounts.backends import SESSION_BACKEND
from accounts.forms.users import NewPasswordForm, PasswordChangeForm, RevokeTokensForm
from accounts.guards import PersonRequest
from accounts.models import BackgroundAnswer, User
from accounts.views import second_step, session_start

N_SIGN_INS = 10


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@guards.signed_in
def account(request: PersonRequest) -> HttpResponse:
    """Show the account and change the password. A new password ends all other sessions."""
    form = PasswordChangeForm(request.POST or None, request=request)
    if form.is_valid():
        passwords.change(
            password=form.cleaned_data["password"],
            revoke_tokens=form.revokes_tokens,
            by=request.user,
        )
        auth.update_session_auth_hash(request, request.user)
        messages.success(
            request,
            "Your password is changed. Wherever else you were signed in, you are signed out."
            + said_of_tokens(form),
        )
        return redirect("account")
    memberships = request.user.memberships.select_related("study").prefetch_related("grants")
    was_asked = BackgroundAnswer.objects.filter(membership=OuterRef("pk"))
    memberships = memberships.annotate(was_asked=Exists(was_asked))
    context = {
        "form": form,
        "everywhere_form": everywhere_form(request.user),
        "memberships": memberships.order_by("study__title", "study__slug"),
        "sign_ins": sign_ins.recent(request.user)[:N_SIGN_INS],
        "sign_in_days": settings.SIGN_IN_DAYS,
        "has_second_factor": permissions.has_second_factor(request.user),
        "may_use_api": permissions.may_use_api(request.user),
    }
    return render(request, "accounts/account.html", context)


@require_POST
@guards.signed_in
def sign_out_everywhere(request: PersonRequest) -> HttpResponse:
    form = everywhere_form(request.user, request.POST)
    form.is_valid()  # a box that is ticked or not cannot be wrong
    sessions.sign_out_everywhere(revoke_tokens=form.revokes_tokens, by=request.user)
    auth.logout(request)
    messages.success(request, "You are signed out here and everywhere else." + said_of_tokens(form))
    return redirect("sign_in")


def everywhere_form(person: User, sent: QueryDict | None = None) -> RevokeTokensForm:
    """Return the form that stands below that of the password: its ids are its own."""
    return RevokeTokensForm(sent, person=person, auto_id="everywhere_%s")


def said_of_tokens(form: RevokeTokensForm) -> str:
    return " No API token of yours works any more." if form.revokes_tokens else ""


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def password_link(request: HttpRequest, token: str) -> HttpResponse:
    """Set a password by a link, and sign in; who has a second factor is asked for a code first."""
    try:
        person = passwords.user_of_link(token)
        form = NewPasswordForm(request.POST or None, person=person)
        if not form.is_valid():
            return render(request, "accounts/password_link.html", {"form": form, "person": person})
        user = passwords.set_by_link(
            token=token,
            password=form.cleaned_data["password"],
            revoke_tokens=form.revokes_tokens,
        )
    except LinkEndedError:
        return render(request, "accounts/password_link_ended.html", status=410)
    if permissions.has_second_factor(user):
        response = second_step.ask_for_code(request, user)
        messages.success(request, "Your password is set." + said_of_tokens(form))
        return response
    session_start.begin(request, user, backend=SESSION_BACKEND)
    messages.success(request, "Your password is set, and you are signed in." + said_of_tokens(form))
    return redirect("home")
