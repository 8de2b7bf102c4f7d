"""Creation and settings of studies."""

from django.contrib import messages
from django.forms.models import model_to_dict
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts import guards, permissions
from accounts.actions import studies
from accounts.actions.names import NameTakenError
from accounts.actions.studies import DeletedStudyNameError, OwnSecondFactorError
from accounts.forms.studies import NewStudyForm, NewStudyForSomebodyForm, StudySettingsForm
from accounts.guards import PersonRequest, StudyRequest
from accounts.models import Consent, Role, Study


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study_maker
def new(request: PersonRequest) -> HttpResponse:
    """Create a study; an administrator may create one for another user."""
    form = _form(request)
    if form.is_valid():
        chosen = form.cleaned_data
        requester = chosen.get("requester", request.user)
        try:
            study = studies.create_study(
                slug=chosen["slug"], title=chosen["title"], requester=requester, by=request.user
            )
        except DeletedStudyNameError:
            form.add_error(
                "slug", "A study of this short name was deleted: its history keeps the name."
            )
        except NameTakenError:
            form.add_error("slug", "There is a study of this short name already.")
        else:
            messages.success(request, f"The study {study.title} was created.")
            return redirect("study", study.slug) if requester == request.user else redirect("house")
    return render(request, "accounts/study_new.html", {"form": form})


def _form(request: PersonRequest) -> NewStudyForm:
    if request.user.is_superuser:
        own = {"requester": request.user.username}
        return NewStudyForSomebodyForm(request.POST or None, initial=own)
    return NewStudyForm(request.POST or None)


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def settings(request: StudyRequest, study: Study) -> HttpResponse:
    form = StudySettingsForm(
        request.POST or None, initial=model_to_dict(study), person=request.user
    )
    if form.is_valid():
        try:
            changed = studies.describe_study(study=study, by=request.user, **form.cleaned_data)
        except OwnSecondFactorError as error:
            form.add_error("requires_second_factor", f"Nothing was saved: {error}.")
        else:
            messages.success(request, _saved(study, changed))
            return redirect(request.path)
    n_agreed = Consent.objects.filter(membership__study=study).values("membership").distinct()
    context = {
        "form": form,
        "n_agreed": n_agreed.count(),
        "without_second_factor": permissions.organisers_without_second_factor(study),
    }
    return render(request, "accounts/study_settings.html", context)


def _saved(study: Study, changed: list[str]) -> str:
    if "consent" in changed and study.consent:
        return "Saved. Annotators are asked for their consent before they continue."
    if "background" in changed and study.background:
        return "Saved. Annotators are asked what is new before they continue."
    return "Saved." if changed else "Nothing was changed."
