"""Acts on a batch that need a confirmation: the page shows the consequences, and its button acts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.guards import StudyRequest, View
from accounts.models import Role, Study
from annotation.actions.batches import BatchError
from annotation.actions.pauses import PauseError
from annotation.actions.settlement import SettleError
from annotation.models import Batch
from annotation.review_decisions import ReviewError
from annotation.views.batches.pages import batch_of

REFUSALS = (BatchError, SettleError, PauseError, ReviewError)


class WrongStateError(Exception):
    """The state of the batch does not allow the act; the message says what to do first."""


class FieldRefusalError(Exception):
    """The act is refused because of what a field of its form says; nothing was changed.

    The page is shown again, as it was filled in, with the message at the field.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, kw_only=True)
class Confirmation:
    """An act on a batch with the texts of templates/_components/confirm.html."""

    act: Callable[..., Any]  # called with batch, by and the values of the form
    title: str
    consequences: Sequence[str]
    button: str
    done: str  # the message after the act
    form: forms.Form | None = None
    tone: str = "primary"
    back: str = ""  # "" for the batch's page
    after: str = ""  # "" for `back`
    about: str = ""  # a template with further text; it gets `context`
    context: Mapping[str, Any] = field(default_factory=dict)


def confirmation_view(describe: Callable[..., Confirmation]) -> View:
    """The view of the act that `describe(request, batch, …)` returns: GET asks, POST acts and redirects."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @guards.study(Role.REQUESTER)
    @wraps(describe)
    def view(request: StudyRequest, study: Study, batch: int, **named: int) -> HttpResponse:
        found = batch_of(study, batch)
        try:
            confirmation = describe(request, found, **named)
        except WrongStateError as error:
            messages.error(request, str(error))
            return redirect(batch_href(found))
        back = confirmation.back or batch_href(found)
        if request.method != "POST" or not (
            confirmation.form is None or confirmation.form.is_valid()
        ):
            return _page(request, confirmation, back)
        try:
            confirmation.act(
                batch=found,
                by=request.user,
                **(confirmation.form.cleaned_data if confirmation.form else {}),
            )
        except FieldRefusalError as refusal:
            if confirmation.form is None:
                raise
            confirmation.form.add_error(refusal.field, str(refusal))
            return _page(request, confirmation, back)
        except REFUSALS as error:
            messages.error(request, f"Nothing was changed: {error}.")
            is_there = Batch.objects.filter(pk=found.pk).exists()
            return redirect(back) if is_there else redirect("batches", study=study.slug)
        messages.success(request, confirmation.done)
        return redirect(confirmation.after or back)

    return view


def _page(request: StudyRequest, confirmation: Confirmation, back: str) -> HttpResponse:
    context = {**vars(confirmation), **confirmation.context, "back": back}
    status = 400 if request.method == "POST" else 200
    return render(request, "_components/confirm.html", context, status=status)


def batch_href(batch: Batch) -> str:
    return reverse("batch", kwargs={"study": batch.study.slug, "batch": batch.pk})


def posted_data(request: StudyRequest) -> Mapping[str, Any] | None:
    """The data for a form: request.POST, or None for GET."""
    return request.POST if request.method == "POST" else None
