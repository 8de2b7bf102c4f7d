from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.actions import first_steps as steps
from accounts.actions import users
from accounts.actions.users import FirstStepsDoneError
from accounts.backends import SESSION_BACKEND
from accounts.forms.users import NewPersonForm
from accounts.views import session_start


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def first_steps(request: HttpRequest) -> HttpResponse:
    """Make the first administrator, by the link that the server prints."""
    if not steps.is_needed():
        return redirect("home")
    token = request.GET.get("token", "")
    if not steps.is_valid(token):
        return render(request, "accounts/first_steps.html", {"is_wrong": bool(token)})
    form = NewPersonForm(request.POST or None)
    if form.is_valid():
        name, password = form.cleaned_data["name"], form.cleaned_data["password"]
        try:
            user = users.create_first_administrator(token=token, name=name, password=password)
        except FirstStepsDoneError:
            return redirect("home")
        session_start.begin(request, user, backend=SESSION_BACKEND)
        messages.success(request, f"You are {user.username}, the administrator of this Touchstone.")
        return redirect("home")
    return render(request, "accounts/first_administrator.html", {"form": form})
