from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from dashboard import progress


@require_safe
@guards.study(Role.REQUESTER)
def study(request: StudyRequest, study: Study) -> HttpResponse:
    """Show a study's home: its steps with counts, and what to do next."""
    return render(request, "dashboard/study.html", {"progress": progress.study_progress(study)})
