"""Pages that archive a study, bring it back, and copy it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.actions.names import NameTakenError
from accounts.actions.studies import DeletedStudyNameError
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.actions import archived_studies, study_copies
from annotation.actions.archived_studies import ArchiveError
from annotation.forms.studies import CopyForm

FORM_METHODS = ["GET", "HEAD", "POST"]
requester = guards.study(Role.REQUESTER, even_archived=True)


@require_http_methods(FORM_METHODS)
@requester
def study_archive(request: StudyRequest, study: Study) -> HttpResponse:
    """Archive the study once that is confirmed."""
    if objection := archived_studies.objection_to_archiving(study):
        if request.method != "POST":
            context = {
                "title": f"Archive “{study.title}”?",
                "consequences": [f"This study cannot be archived: {objection}."],
                "back": reverse("study_settings", args=[study.slug]),
            }
            return render(request, "_components/confirm.html", context)
        messages.error(request, f"Nothing was changed: {objection}.")
        return redirect("study_settings", study=study.slug)
    if request.method == "POST":
        try:
            archived_studies.archive(study=study, by=request.user)
        except ArchiveError as error:
            messages.error(request, f"Nothing was changed: {error}.")
            return redirect("study_settings", study=study.slug)
        messages.success(request, f"The study “{study.title}” is archived.")
        return redirect("home")
    context = {
        "title": f"Archive “{study.title}”?",
        "consequences": [
            "Nothing in it can be changed: no page, command or API request does, and nobody can join it.",
            "Its pages, results and releases stay readable to the people who are in it.",
            "It is removed from the list of your studies, and listed below it under “Archived”. Annotators do not see it"
            " in “My work”.",
            "A requester can bring it back at any time.",
        ],
        "button": "Archive the study",
        "tone": "danger",
        "back": reverse("study_settings", args=[study.slug]),
    }
    return render(request, "_components/confirm.html", context)


@require_http_methods(FORM_METHODS)
@requester
def study_bring_back(request: StudyRequest, study: Study) -> HttpResponse:
    """Bring an archived study back once that is confirmed."""
    if request.method == "POST":
        try:
            archived_studies.bring_back(study=study, by=request.user)
        except ArchiveError as error:
            messages.error(request, f"Nothing was changed: {error}.")
        else:
            messages.success(request, f"The study “{study.title}” can be changed again.")
        return redirect("study", study=study.slug)
    context = {
        "title": f"Bring “{study.title}” back?",
        "consequences": [
            "It can be changed again, by everybody in it as their roles allow.",
            "Its batches stay closed until you open one.",
        ],
        "button": "Bring the study back",
        "even_archived": True,
        "back": reverse("study", args=[study.slug]),
    }
    return render(request, "_components/confirm.html", context)


@require_http_methods(FORM_METHODS)
@requester
def study_copy(request: StudyRequest, study: Study) -> HttpResponse:
    """Create a study with the settings of this one."""
    people = study_copies.members_to_choose(study, request.user)
    form = CopyForm(
        request.POST or None, members=people, initial={"title": f"{study.title} (copy)"[:200]}
    )
    if form.is_valid():
        chosen = form.cleaned_data
        try:
            copy = study_copies.copy_study(
                study=study,
                slug=chosen["slug"],
                title=chosen["title"],
                people=form.chosen_people(),
                by=request.user,
            )
        except DeletedStudyNameError:
            form.add_error(
                "slug", "A study of this short name was deleted: its history keeps the name."
            )
        except NameTakenError:
            form.add_error("slug", "There is a study of this short name already.")
        else:
            messages.success(request, f"The study “{copy.title}” is created.")
            return redirect("study", study=copy.slug)
    status = 400 if form.errors else 200
    return render(request, "annotation/studies/copy.html", {"form": form}, status=status)
