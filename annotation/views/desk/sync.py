"""The desk's data request: submissions in, what became of them and the next items out, as JSON."""

from collections.abc import Iterable
from functools import wraps
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, unquote

from django.db.models import prefetch_related_objects
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.actions import consent
from accounts.guards import StudyRequest, View
from annotation import schemes
from annotation.actions import desk_sync, first_parts, guideline_readings
from annotation.actions.desk_sync import JudgementResult, Outcome, SyncResult
from annotation.actions.judgements import NotClaimedError
from annotation.forms import desk_sync as desk_requests
from annotation.forms.desk_sync import DeskRequestError, FirstPart
from annotation.models import Assignment, Batch, Flag, Judgement
from annotation.queries import annotator_progress, recent_judgements
from annotation.queries.annotator_progress import Progress
from annotation.schemes import ResponseError, Scheme
from annotation.views.desk import guards as desk_guards
from annotation.views.desk import page
from performance.one_at_a_time import one_request_at_a_time

# What a result says to the person, where its outcome needs words.
WORDS = {
    Outcome.LATE: page.LATE,
    Outcome.ALREADY: "You had judged this item already, and that judgement stands. It can be taken back among"
    " your last ten.",
    Outcome.SKIPPED: "You had skipped this item: the judgement was not saved.",
    Outcome.TAKEN_BACK: "You took this judgement back: nothing is saved until you choose anew.",
}


def of_whom_the_page_is(view: View) -> View:
    """The page says whose it is: what one person judged is not taken from another who signed in meanwhile."""

    @wraps(view)
    def guarded(request: HttpRequest, **options: object) -> HttpResponseBase:
        name = request.user.get_username()
        if unquote(request.headers.get("X-Desk-User", quote(name))) != name:
            told = {"error": "somebody else is signed in", "user": name}
            return JsonResponse(told, status=HTTPStatus.UNAUTHORIZED)
        return view(request, **options)

    return guarded


@one_request_at_a_time
@require_http_methods(["GET", "POST"])
@desk_guards.signed_in_or_401
@of_whom_the_page_is
@desk_guards.batch
def feed(request: StudyRequest, batch: Batch) -> HttpResponseBase:
    """A GET sends nothing and wants nothing: it gives a fresh token, and how far one is."""
    scheme = schemes.get(batch.scheme)
    try:
        desk_request = (
            desk_requests.parsed_request(request.body)
            if request.method == "POST"
            else desk_requests.EMPTY_REQUEST
        )
    except DeskRequestError as error:
        return JsonResponse({"error": str(error)}, status=HTTPStatus.BAD_REQUEST)
    opened = _opened(request, batch, scheme, desk_request.opens) if desk_request.opens else None
    is_due = desk_request.n_more > 0 and _is_due(request, batch)
    synced = desk_sync.sync(
        batch=batch,
        by=request.user,
        roles=request.roles,
        sent=desk_request.sent,
        ahead=desk_request.ahead,
        n_more=0 if is_due else desk_request.n_more,
    )
    ahead = (
        annotator_progress.desk_progress(batch, request.user, timezone.now())
        if desk_request.asks_progress
        else None
    )
    is_paused = synced.is_paused or (ahead is not None and ahead.is_paused)
    return JsonResponse(
        {
            "results": [_result(each, scheme) for each in synced.results],
            "opened": opened,
            "items": _items(batch, scheme, synced),
            "over": [str(name) for name in synced.finished],
            "progress": _progress(ahead) if ahead else None,
            "batch": {
                "state": page.state(batch, is_paused=is_paused),
                "depth": batch.prefetch_depth,
                "deadline": batch.deadline_at,
            },
            "answers": _answers(batch, request)
            if desk_request.n_more or desk_request.asks_progress
            else [],
            "is_due": is_due,
            "csrf": get_token(request),
        }
    )


def _is_due(request: StudyRequest, batch: Batch) -> bool:
    """Whether there is something to read, or to agree to, before the next item."""
    return consent.is_needed(request.user, batch.study) or guideline_readings.is_due(
        batch, request.user
    )


def _result(result: JudgementResult, scheme: Scheme) -> dict[str, Any]:
    stored = result.judgement
    return {
        "client_id": result.sent.submission.client_id,
        "assignment": str(result.sent.assignment),
        "outcome": result.outcome.value,
        "said": scheme.own_words(stored.response) if stored else "",
        "is_same": result.is_same,
        "words": result.why or WORDS.get(result.outcome, ""),
    }


def _opened(
    request: StudyRequest, batch: Batch, scheme: Scheme, first: FirstPart
) -> dict[str, Any]:
    """The item with all it has, or why it is not shown; `is_over` where it was judged or skipped elsewhere."""
    told = {"assignment": str(first.assignment), "html": "", "is_over": False, "words": ""}
    handed_out = Assignment.objects.filter(item__batch=batch, annotator=request.user)
    held = handed_out.filter(public_id=first.assignment).first()
    if held is None:
        return told | {"words": "The item was not handed to you."}
    try:
        whole = first_parts.show_the_rest(assignment=held, response=first.response, by=request.user)
    except NotClaimedError as error:
        return told | {"is_over": True, "words": str(error)}
    except ResponseError as error:
        return told | {"words": str(error)}
    prefetch_related_objects([whole], "judgements", "flags__answers")
    item = _item(whole, batch, scheme, whole.judgements.all(), whole.flags.all())
    return told | {"html": item["html"]}


def _items(batch: Batch, scheme: Scheme, synced: SyncResult) -> list[dict[str, Any]]:
    prefetch_related_objects(synced.handed_before, "judgements", "flags__answers")
    return [
        *(
            _item(each, batch, scheme, each.judgements.all(), each.flags.all())
            for each in synced.handed_before
        ),
        *(_item(each, batch, scheme) for each in synced.new),
    ]


def _item(
    assignment: Assignment,
    batch: Batch,
    scheme: Scheme,
    said: Iterable[Judgement] = (),
    flags: Iterable[Flag] = (),
) -> dict[str, Any]:
    """What changes on the desk from one item to the next. What was `said` of it was taken back."""
    before = max(said, key=lambda each: each.number, default=None)
    return {
        "assignment": str(assignment.public_id),
        "attempt": page.attempt(assignment, before),
        "html": render_to_string(
            "annotation/desk/_judged.html", page.judged(assignment, batch, scheme, flags, before)
        ),
        "said_before": scheme.own_words(before.response) if before else "",
        "comment": before.comment if before else "",
    }


def _answers(batch: Batch, request: StudyRequest) -> list[dict[str, str]]:
    """The latest to what the person flagged, newest last: the page knows which of them it has shown."""
    given = recent_judgements.LATEST_ANSWERS.all(batch=batch.pk, annotator=request.user.pk)
    return [
        {
            "at": each.answered_at.isoformat(),
            "question": each.flag.assignment.item.payload["question"],
            "text": each.text,
        }
        for each in reversed(given)
    ]


def _progress(ahead: Progress) -> dict[str, Any]:
    return {
        "n_done": ahead.n_done,
        "n_skipped": ahead.n_skipped,
        "n_left": ahead.n_left,
        "is_more": ahead.is_more,
        "seconds_left": ahead.seconds_left,
        **({"n_refused": ahead.n_refused} if ahead.price else {}),
    }
