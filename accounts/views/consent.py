from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.actions import consent as consents
from accounts.actions.consent import ConsentChangedError
from accounts.forms.users import ConsentForm
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from accounts.views import next_page


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(*Role)
def consent(request: StudyRequest, study: Study) -> HttpResponse:
    """Show the study's text and record the agreement.

    The desk redirects here as long as it is needed.
    """
    form = ConsentForm(request.POST or None)
    if form.is_valid():
        try:
            text = form.cleaned_data["text"]
            consents.agree(study=study, text_sha256=text, by=request.user)
        except ConsentChangedError:
            messages.warning(request, "The text has just been changed: please read it again.")
            return redirect(request.get_full_path())
        return redirect(next_page.next_href(request))
    context = {
        "given": consents.current_consent(request.user, study),
        "sha256": consents.sha256(study.consent),
        "next": request.GET.get("next", ""),
    }
    return render(request, "accounts/consent.html", context)
