"""The pages that ask once before something that nothing uses, or an empty study, is deleted."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from exports.deletions import actions, uses
from exports.deletions.actions import DeletionError
from exports.deletions.kinds import KINDS


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def delete(request: StudyRequest, study: Study, kind: str, **where: int) -> HttpResponse:
    """Delete the thing once that is confirmed; where something uses it, name that instead."""
    deletable = KINDS[kind]
    about = deletable.about
    thing = get_object_or_404(about.rows(study), pk=where[kind])
    back = about.href(thing)
    if used := deletable.uses(thing):
        if request.method != "POST":
            sentences = ["It is in use, and cannot be deleted.", *used]
            context = {"title": f"Delete “{thing}”?", "consequences": sentences, "back": back}
            return render(request, "_components/confirm.html", context)
        messages.error(request, f"“{thing}” is in use and was not deleted. {' '.join(used)}")
        return redirect(back)
    if request.method == "POST":
        try:
            deletable.delete(**{about.name: thing}, by=request.user)
        except DeletionError as error:
            messages.error(request, f"Nothing was deleted: {error}.")
            return redirect(back)
        messages.success(request, f"“{thing}” is deleted.")
        return redirect(deletable.listing, study=study.slug)
    context = {
        "title": f"Delete “{thing}”?",
        "consequences": [
            "Nothing uses it: no batch, no release, nothing drawn from it.",
            deletable.goes,
            "It cannot be brought back. The history keeps that it was there, and its name is free again.",
        ],
        "button": f"Delete the {about.noun}",
        "tone": "danger",
        "back": back,
    }
    return render(request, "_components/confirm.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def delete_study(request: StudyRequest, study: Study) -> HttpResponse:
    """Delete an empty study once that is confirmed; where something is in it, name that instead."""
    back = reverse("study_settings", args=[study.slug])
    title = f"Delete the study “{study.title}”?"
    if request.method == "POST":
        try:
            actions.delete_study(study=study, by=request.user)
        except DeletionError as error:
            messages.error(request, f"Nothing was deleted: {error}.")
            return redirect(back)
        messages.success(request, f"The study “{study.title}” is deleted.")
        return redirect("home")
    if found := uses.of_study(study):
        sentences = ["It is not empty, and cannot be deleted. It can be archived.", *found]
        context = {"title": title, "consequences": sentences, "back": back}
        return render(request, "_components/confirm.html", context)
    context = {
        "title": title,
        "consequences": uses.goes_with_study(study, request.user),
        "button": "Delete the study",
        "tone": "danger",
        "back": back,
    }
    return render(request, "_components/confirm.html", context)
