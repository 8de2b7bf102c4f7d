"""The page that notes an erratum of a release."""

from django.contrib import messages
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from exports.errata import actions
from exports.errata.actions import ErratumError
from exports.errata.forms import NewErratum
from exports.models import Release, ReleaseContents
from pages.words import sentence


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def release_erratum(request: StudyRequest, study: Study, number: int) -> HttpResponseBase:
    releases = Release.objects.filter(study=study, contents=ReleaseContents.DATASET)
    found = get_object_or_404(releases.select_related("dataset", "study"), number=number)
    answer = request.GET.get("answer", "").replace("\0", "")
    sent = request.POST if request.method == "POST" else None
    form = NewErratum(sent, initial={"answer": answer})
    if form.is_valid():
        try:
            actions.note_erratum(
                release=found,
                answer_id=form.cleaned_data["answer"],
                reason=form.cleaned_data["reason"],
                by=request.user,
            )
        except ErratumError as error:
            form.add_error(None, sentence(str(error)))
        else:
            messages.success(request, "The erratum is noted; the release stays as it is.")
            return redirect("release", study=study.slug, number=number)
    context = {"release": found, "form": form}
    status = 400 if form.errors else 200
    return render(request, "exports/errata/new.html", context, status=status)
