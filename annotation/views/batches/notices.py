"""Notices to everybody in a batch."""

from django.contrib import messages
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.errors import ActionError
from accounts.guards import StudyRequest
from accounts.models import Study
from annotation.actions import notices as notice_actions
from annotation.forms.messages import NoticeForm
from annotation.models import BatchState
from annotation.views.batches.pages import batch_of, requester


@require_http_methods(["GET", "HEAD", "POST"])
@requester
def batch_notices(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = batch_of(study, batch)
    if found.state == BatchState.DRAFT or found.is_rehearsal:
        messages.error(request, "Nobody works in it: a notice can be written once it is open.")
        return redirect("batch", study=study.slug, batch=batch)
    form = NoticeForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            notice_actions.write(batch=found, text=form.cleaned_data["text"], by=request.user)
        except ActionError as error:
            form.add_error("text", f"Nothing was written: {error}.")
        else:
            messages.success(request, "Everybody in the batch reads it until they dismiss it.")
            return redirect("batch_notices", study=study.slug, batch=batch)
    written = found.notices.select_related("written_by").annotate(n_read=Count("dismissals"))
    context = {"batch": found, "form": form, "notices": written.order_by("-written_at", "-pk")}
    status = 400 if form.errors else 200
    return render(request, "annotation/batches/notices.html", context, status=status)
