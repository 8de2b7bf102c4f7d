"""A person's data: their own file, and the page on which an administrator erases somebody."""

import tempfile
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from accounts import guards
from accounts.actions.members import LastRequesterError
from accounts.guards import PersonRequest
from accounts.models import User
from exports.personal_data import actions
from exports.personal_data.actions import ErasureError

FILE_NAME = "touchstone-my-data.json"


@require_safe
@guards.signed_in
def own_data(request: PersonRequest) -> HttpResponseBase:
    """Everything that is kept about whoever asks, as a file.

    What they decided in a study is in it, so it waits for a second factor as the study does.
    """
    guards.require_second_factor(request.user)
    file = tempfile.TemporaryFile()  # noqa: SIM115  the response closes it
    actions.write(user=request.user, file=file)
    file.seek(0)
    return FileResponse(
        file, as_attachment=True, filename=FILE_NAME, content_type="application/json"
    )


class TypedNameForm(forms.Form):
    """Asks for the name of the person, so that nobody erases the wrong one by a slip."""

    name = forms.CharField(max_length=150, strip=False)

    def __init__(self, *args: Any, person: User) -> None:
        super().__init__(*args)
        self.person = person
        self.fields["name"].label = f"To confirm, type the name: {person.username}"
        self.fields["name"].widget.attrs |= {"autocomplete": "off", "autocapitalize": "none"}

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self.person.username:
            raise ValidationError(f"This is not {self.person.username}. Nothing was erased.")
        return name


@require_http_methods(["GET", "HEAD", "POST"])
@guards.administrator
def user_erase(request: PersonRequest, user: int) -> HttpResponse:
    """Erase somebody for good, once their name was typed."""
    person = get_object_or_404(User, pk=user, is_simulated=False)
    if person == request.user:
        messages.error(request, "You cannot erase yourself: another administrator can.")
        return redirect("house")
    if person.is_erased:
        messages.success(request, f"{person.username} was erased already.")
        return redirect("house")
    form = TypedNameForm(request.POST or None, person=person)
    refused = actions.refusal(person)
    if form.is_valid() and not refused:
        try:
            actions.erase(user=person, by=request.user)
        except (ErasureError, LastRequesterError) as error:
            refused = str(error)
        else:
            person.refresh_from_db()
            messages.success(request, f"Erased: the user is called {person.username} now.")
            return redirect("house")
    context = {"form": form, "person": person, "refused": refused}
    return render(request, "exports/personal_data/user_erase.html", context)
