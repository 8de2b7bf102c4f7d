"""Acts on a batch that are confirmed: the page says what follows, and only its button does it."""

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


class NotNowError(Exception):
    """The batch is in no state for the act; the message says what comes first."""


@dataclass(frozen=True, kw_only=True)
class Confirmation:
    """An act on a batch, as templates/_components/confirm.html asks about it."""

    act: Callable[..., Any]  # given batch, by, and what the form asks for
    title: str
    consequences: Sequence[str]
    button: str
    done: str  # the message afterwards
    form: forms.Form | None = None
    tone: str = "primary"
    back: str = ""  # the batch's page, where empty
    after: str = ""  # `back`, where empty
    about: str = ""  # a template that says more, with the context that it needs
    context: Mapping[str, Any] = field(default_factory=dict)


def confirmed(describe: Callable[..., Confirmation]) -> View:
    """The view of an act that `describe(request, batch, …)` describes: asks (GET), does it (POST), leads back."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @guards.study(Role.REQUESTER)
    @wraps(describe)
    def view(request: StudyRequest, study: Study, batch: int, **named: int) -> HttpResponse:
        found = batch_of(study, batch)
        try:
            asked = describe(request, found, **named)
        except NotNowError as error:
            messages.error(request, str(error))
            return redirect(page_of(found))
        back = asked.back or page_of(found)
        if request.method != "POST" or not (asked.form is None or asked.form.is_valid()):
            context = {**vars(asked), **asked.context, "back": back}
            status = 400 if request.method == "POST" else 200
            return render(request, "_components/confirm.html", context, status=status)
        try:
            asked.act(
                batch=found, by=request.user, **(asked.form.cleaned_data if asked.form else {})
            )
        except REFUSALS as error:
            messages.error(request, f"Nothing was changed: {error}.")
            is_there = Batch.objects.filter(pk=found.pk).exists()
            return redirect(back) if is_there else redirect("batches", study=study.slug)
        messages.success(request, asked.done)
        return redirect(asked.after or back)

    return view


def page_of(batch: Batch) -> str:
    return reverse("batch", kwargs={"study": batch.study.slug, "batch": batch.pk})


def sent(request: StudyRequest) -> Mapping[str, Any] | None:
    """What a form of the page is bound to."""
    return request.POST if request.method == "POST" else None
