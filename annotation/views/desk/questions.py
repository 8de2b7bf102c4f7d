"""Questions of an annotator that are not about one item."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import guards, permissions
from accounts.errors import ActionError
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.actions import messages as message_actions
from annotation.forms.messages import QuestionForm
from annotation.models import Batch, BatchState, Message
from annotation.queries import audience
from annotation.queries.work_terms import contact_of


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@guards.study(Role.ANNOTATOR)
def ask(request: StudyRequest, study: Study) -> HttpResponse:
    """The person's questions in the study with their answers, and the form of a new one.

    `batch` in the query string is the batch that it is about.
    """
    permissions.require_desk(request.user, study, request.roles)
    batch = _named_batch(request, study)
    form = QuestionForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            message_actions.send(
                study=study, batch=batch, text=form.cleaned_data["text"], by=request.user
            )
        except ActionError as error:
            form.add_error("text", f"Nothing was sent: {error}.")
        else:
            messages.success(request, "Message sent. The answer will appear here and in My work.")
            return redirect(_href(study, batch))
    context = {
        "form": form,
        "batch": batch,
        "contact": contact_of(study, batch.created_by if batch else study.created_by),
        "asked": own_questions(request, study),
    }
    return render(request, "annotation/desk/ask.html", context, status=400 if form.errors else 200)


def own_questions(request: StudyRequest, study: Study) -> list[Message]:
    own = Message.objects.filter(study=study, sent_by=request.user, refusal=None)
    return list(own.select_related("batch").prefetch_related("answers").order_by("-sent_at", "-pk"))


def _named_batch(request: StudyRequest, study: Study) -> Batch | None:
    key = request.GET.get("batch", "")
    if not key.isascii() or not key.isdigit() or len(key) > 18:
        return None
    opened = study.batches.exclude(state=BatchState.DRAFT).filter(is_rehearsal=False)
    named = audience.with_standing(opened, request.user.pk).filter(pk=int(key))
    batch = named.select_related("created_by").first()
    if batch is None or batch.is_admitted or audience.has_begun(batch, request.user):
        return batch
    return None


def _href(study: Study, batch: Batch | None) -> str:
    href = reverse("ask", args=[study.slug])
    return f"{href}?{urlencode({'batch': batch.pk})}" if batch else href
