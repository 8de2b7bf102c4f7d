"""The pages that withdraw a thing of a study, or bring it back: each asks once, for a reason."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.actions.withdrawals import WithdrawalError
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from exports.withdrawals.forms import ReasonForm
from exports.withdrawals.kinds import KINDS, Kind

FORM_METHODS = ["GET", "HEAD", "POST"]


@require_http_methods(FORM_METHODS)
@guards.study(Role.REQUESTER)
def withdraw(request: StudyRequest, study: Study, kind: str, **where: int) -> HttpResponse:
    """Ask for a reason, name what rests on the thing, and withdraw it."""
    about = KINDS[kind]
    thing = get_object_or_404(about.rows(study), **{about.key: where[kind]})
    return _confirmed(
        request,
        about,
        thing,
        act=about.withdraw,
        objection=about.objection,
        title=f"Withdraw {about.called(thing)}?",
        consequences=[*about.rests_on(thing), *about.consequences],
        button=f"Withdraw the {about.noun}",
        tone="danger",
        done=_sentence(f"{about.called(thing)} is withdrawn."),
        participle="withdrawn",
    )


@require_http_methods(FORM_METHODS)
@guards.study(Role.REQUESTER)
def bring_back(request: StudyRequest, study: Study, kind: str, **where: int) -> HttpResponse:
    """Ask for a reason, and let a withdrawn thing count again."""
    about = KINDS[kind]
    thing = get_object_or_404(about.rows(study), **{about.key: where[kind]})
    return _confirmed(
        request,
        about,
        thing,
        act=about.bring_back,
        objection=about.return_objection,
        title=f"Bring {about.called(thing)} back?",
        consequences=about.return_consequences,
        button=f"Bring the {about.noun} back",
        tone="primary",
        done=_sentence(f"{about.called(thing)} counts again."),
        participle="brought back",
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _confirmed(
    request: StudyRequest,
    about: Kind,
    thing: Any,
    *,
    act: Any,
    objection: Callable[[Any], str],
    title: str,
    consequences: Sequence[str],
    button: str,
    tone: str,
    done: str,
    participle: str,
) -> HttpResponse:
    form = ReasonForm(request.POST if request.method == "POST" else None)
    back = about.href(thing)
    if reason := objection(thing):
        if request.method != "POST":
            sentences = [f"This {about.noun} cannot be {participle}: {reason}."]
            refusal = {"title": title, "consequences": sentences, "back": back}
            return render(request, "_components/confirm.html", refusal)
        messages.error(request, f"Nothing was changed: {reason}.")
        return redirect(back)
    if form.is_valid():
        try:
            act(**{about.name: thing}, reason=form.cleaned_data["reason"], by=request.user)
        except WithdrawalError as error:
            messages.error(request, f"Nothing was changed: {error}.")
        else:
            messages.success(request, done)
        return redirect(back)
    context = {
        "title": title,
        "consequences": consequences,
        "button": button,
        "tone": tone,
        "form": form,
        "back": back,
    }
    status = 400 if form.errors else 200
    return render(request, "_components/confirm.html", context, status=status)
