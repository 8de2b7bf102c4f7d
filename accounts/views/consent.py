from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts import guards, permissions
from accounts.actions import background as answers
from accounts.actions import consent as consents
from accounts.actions.consent import ConsentChangedError
from accounts.forms.background import BackgroundForm
from accounts.forms.users import ConsentForm
from accounts.guards import StudyRequest
from accounts.models import BackgroundQuestion, Role, Study
from accounts.queries import background
from accounts.views import next_page


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(*Role)
def consent(request: StudyRequest, study: Study) -> HttpResponse:
    """Show the study's text and its questions about the person; record the agreement and the answers.

    The desk redirects here as long as it is needed.
    """
    given = consents.current_consent(request.user, study)
    form = ConsentForm(request.POST or None)
    questions = BackgroundForm(_questions(request, study), request.POST or None)
    status = 200
    if form.is_valid() and questions.is_valid():
        if _record(request, study, form.cleaned_data["text"], questions):
            return redirect(next_page.next_href(request))
        return redirect(request.get_full_path())
    if questions.errors:
        status = 400
    context = {
        "given": given,
        "questions": questions,
        "has_desk": _has_desk(request),
        "is_open": consents.is_text_open(request.user, study),
        "sha256": consents.sha256(study.consent),
        "next": request.POST.get("next") or request.GET.get("next", ""),
    }
    return render(request, "accounts/consent.html", context, status=status)


def _has_desk(request: StudyRequest) -> bool:
    return request.roles.isdisjoint(permissions.ORGANISERS)


def _questions(request: StudyRequest, study: Study) -> list[BackgroundQuestion]:
    """Those that an annotator is still to be asked; of others nobody asks anything, and they see all."""
    if _has_desk(request):
        return background.due(request.user, study)
    return list(background.asked(study))


def _record(
    request: StudyRequest, study: Study, text_sha256: str, questions: BackgroundForm
) -> bool:
    """Record the agreement and the answers together; False, with a message, if the text was changed."""
    try:
        with transaction.atomic():
            consents.agree(study=study, text_sha256=text_sha256, by=request.user)
            if _has_desk(request):
                answers.answer(study=study, answers=questions.answers(), by=request.user)
    except ConsentChangedError:
        messages.warning(request, "The text has just been changed: please read it again.")
        return False
    return True
