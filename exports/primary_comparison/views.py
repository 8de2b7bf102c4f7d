"""The page on which the primary comparison of a study is named."""

from django.contrib import messages
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from exports.primary_comparison import actions, queries
from exports.primary_comparison.actions import PrimaryComparisonError
from exports.primary_comparison.families import notes
from exports.primary_comparison.forms import NewPrimaryComparison
from pages.words import sentence

requester = guards.study(Role.REQUESTER)


@require_http_methods(["GET", "HEAD", "POST"])
@requester
def primary_comparison(request: StudyRequest, study: Study) -> HttpResponseBase:
    form = NewPrimaryComparison(study, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            actions.name_primary(study=study, by=request.user, **form.chosen())
        except PrimaryComparisonError as error:
            form.add_error(None, sentence(str(error)))
        else:
            messages.success(request, "The primary comparison is named.")
            return redirect("compared_study_primary", study=study.slug)
    named = queries.primary_comparison(study)
    judged = [(pool, queries.n_judgements(pool)) for pool in form.pools.values()]
    context = {
        "form": form,
        "notes": notes(named, [named["pool"]], ()) if named else [],
        "judged": [(pool, n) for pool, n in judged if n],
    }
    return render(
        request,
        "exports/primary_comparison/primary.html",
        context,
        status=400 if form.errors else 200,
    )
