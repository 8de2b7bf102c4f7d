"""The page that shows the first items of a batch as annotators see them."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.guards import StudyRequest
from accounts.models import Study
from annotation import schemes
from annotation.design import screens
from annotation.models import Batch, BatchState, SetAside
from annotation.queries import training_attempts
from annotation.schemes import Scheme, payloads
from annotation.schemes.sheet import SheetScheme
from annotation.views.batches.pages import batch_of, requester

N_PREVIEWED = 5


@require_safe
@requester
def batch_preview(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """The first items of the batch, or of a draft, as annotators will see them."""
    found = batch_of(study, batch)
    scheme = schemes.get(found.scheme)
    context = {
        "batch": found,
        "scheme": scheme,
        "screen": f"annotation/schemes/{found.scheme}.html",
        "shows_markdown": found.shows_markdown,
        "payloads": _first_payloads(found),
    }
    return render(request, "annotation/batches/preview.html", context)


def _first_payloads(batch: Batch) -> list[dict[str, Any]]:
    if batch.is_training:
        items = training_attempts.items_of(batch)
        first = list(items.values_list("payload", flat=True)[:N_PREVIEWED])
    elif batch.state != BatchState.DRAFT:
        not_asked = batch.items.filter(verdicts__set_aside_reason=SetAside.NO_EVIDENCE)
        asked = batch.items.real().exclude(pk__in=not_asked.values("pk"))
        first = list(asked.values_list("payload", flat=True)[:N_PREVIEWED])
    else:
        first = [screen.payload for screen in screens.first_screens(batch, N_PREVIEWED)]
    scheme = schemes.get(batch.scheme)
    return [
        {**payloads.content_by_number(each), "asks": _question_wordings(scheme, each)}
        for each in first
    ]


def _question_wordings(scheme: Scheme, payload: dict[str, Any]) -> list[str]:
    """The distinct questions of a sheet; [] for another scheme."""
    if not isinstance(scheme, SheetScheme):
        return []
    return list(dict.fromkeys(question.asks for question in scheme.questions(payload)))
