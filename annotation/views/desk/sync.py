"""The desk's data request: it takes submissions, and answers with their results and the next items, as JSON."""

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
from annotation.actions import training as training_acts
from annotation.actions.desk_submissions import JudgementResult, Outcome
from annotation.actions.desk_sync import SyncResult
from annotation.actions.judgements import NotClaimedError
from annotation.forms import desk_sync as desk_requests
from annotation.forms.desk_sync import DeskRequestError, FirstPart
from annotation.models import Assignment, Batch, Flag, Judgement
from annotation.queries import annotator_progress, checks, question_places, recent_judgements
from annotation.queries.annotator_progress import Progress
from annotation.queries.notices import notices_for
from annotation.schemes import ResponseError, Scheme
from annotation.views.desk import contents, page, training
from annotation.views.desk import guards as desk_guards
from performance.one_at_a_time import one_request_at_a_time

# The texts of outcomes that need one.
WORDS = {
    Outcome.LATE: page.LATE,
    Outcome.ALREADY: "Change it in History.",
    Outcome.SKIPPED: "You skipped this item before.",
    Outcome.TAKEN_BACK: "You undid this answer: choose again to save.",
}


def require_page_owner(view: View) -> View:
    """Answer 401 if somebody else has signed in since the page was loaded."""

    @wraps(view)
    def guarded(request: HttpRequest, **options: object) -> HttpResponseBase:
        name = request.user.get_username()
        if unquote(request.headers.get("X-Desk-User", quote(name))) != name:
            refusal = {"error": "somebody else is signed in", "user": name}
            return JsonResponse(refusal, status=HTTPStatus.UNAUTHORIZED)
        return view(request, **options)

    return guarded


@one_request_at_a_time
@require_http_methods(["GET", "POST"])
@desk_guards.signed_in_or_401
@require_page_owner
@desk_guards.batch_with_own_work
def feed(request: StudyRequest, batch: Batch) -> HttpResponseBase:
    """GET submits nothing and asks for no items: it returns a fresh CSRF token and the progress.

    Who was taken off the batch gets what they judged stored, and nothing handed out.
    """
    scheme = schemes.get(batch.scheme)
    try:
        desk_request = (
            desk_requests.parsed_request(request.body)
            if request.method == "POST"
            else desk_requests.EMPTY_REQUEST
        )
    except DeskRequestError as error:
        return JsonResponse({"error": str(error)}, status=HTTPStatus.BAD_REQUEST)
    opened = (
        _show_the_rest(request, batch, scheme, desk_request.first_part)
        if desk_request.first_part
        else None
    )
    is_admitted: bool = batch.is_admitted
    is_due = is_admitted and desk_request.n_more > 0 and _is_due(request, batch)
    synced = desk_sync.sync(
        batch=batch,
        by=request.user,
        roles=request.roles,
        sent=desk_request.sent,
        ahead=desk_request.ahead,
        n_more=desk_request.n_more if is_admitted and not is_due else 0,
    )
    expectations = training.expectations_of(batch, synced.results)
    if expectations:
        training_acts.conclude(batch=batch, by=request.user)
    # What was stored before may be in the browser's count, or not: only the count itself settles that.
    asks_progress = desk_request.asks_progress or not all(each.is_new for each in synced.results)
    ahead = (
        annotator_progress.desk_progress(batch, request.user, timezone.now())
        if asks_progress
        else None
    )
    is_paused = synced.is_paused or (ahead is not None and ahead.is_paused)
    return JsonResponse(
        {
            "results": [
                _result(each, scheme) | training.in_result(each, batch, expectations)
                for each in synced.results
            ],
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
            "notices": _notices(batch, request),
            "is_due": is_due,
            "csrf": get_token(request),
        }
    )


def _is_due(request: StudyRequest, batch: Batch) -> bool:
    """Whether the person has to give consent, read a guideline or answer questions on it before the next item."""
    return (
        consent.is_needed(request.user, batch.study)
        or guideline_readings.is_due(batch, request.user)
        or checks.is_due(batch, request.user)
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


def _show_the_rest(
    request: StudyRequest, batch: Batch, scheme: Scheme, first: FirstPart
) -> dict[str, Any]:
    """Store the first part and return the whole item, or the reason why it is not shown.

    `is_over`: the item was judged or skipped elsewhere.
    """
    answer = {"assignment": str(first.assignment), "html": "", "is_over": False, "words": ""}
    if not batch.is_admitted:
        return answer | {"words": "You no longer work on this batch."}
    assignments = Assignment.objects.filter(item__batch=batch, annotator=request.user)
    assignment = assignments.filter(public_id=first.assignment).first()
    if assignment is None:
        return answer | {"words": "The item is not assigned to you."}
    try:
        whole = first_parts.show_the_rest(
            assignment=assignment, response=first.response, by=request.user
        )
    except NotClaimedError as error:
        return answer | {"is_over": True, "words": str(error)}
    except ResponseError as error:
        return answer | {"words": str(error)}
    prefetch_related_objects([whole], "judgements", "flags__answers")
    item = _item(whole, batch, scheme, whole.judgements.all(), whole.flags.all())
    return answer | {"html": item["html"]}


def _items(batch: Batch, scheme: Scheme, synced: SyncResult) -> list[dict[str, Any]]:
    prefetch_related_objects(synced.handed_before, "judgements", "flags__answers")
    items = [each.item for each in (*synced.handed_before, *synced.new)]
    places = question_places.question_places(batch, items)
    return [
        *(
            _item(
                each,
                batch,
                scheme,
                each.judgements.all(),
                each.flags.all(),
                place=places.get(each.item_id, ""),
            )
            for each in synced.handed_before
        ),
        *(_item(each, batch, scheme, place=places.get(each.item_id, "")) for each in synced.new),
    ]


def _item(
    assignment: Assignment,
    batch: Batch,
    scheme: Scheme,
    withdrawn: Iterable[Judgement] = (),
    flags: Iterable[Flag] = (),
    *,
    place: str = "",
) -> dict[str, Any]:
    """The part of the desk that changes with the item; `withdrawn` are its judgements that were taken back."""
    before = max(withdrawn, key=lambda each: each.number, default=None)
    return {
        "assignment": str(assignment.public_id),
        "attempt": page.attempt(assignment, before),
        "html": render_to_string(
            "annotation/desk/_judged.html",
            contents.item_context(assignment, batch, scheme, flags, before) | {"place": place},
        ),
        "expires_at": assignment.expires_at.isoformat(),
        "said_before": scheme.own_words(before.response) if before else "",
        "comment": before.comment if before else "",
    }


def _answers(batch: Batch, request: StudyRequest) -> list[dict[str, str]]:
    """The latest answers to the person's flags, newest last; the script knows which it has shown."""
    answers = recent_judgements.LATEST_ANSWERS.all(batch=batch.pk, annotator=request.user.pk)
    return [
        {
            "at": each.answered_at.isoformat(),
            "question": each.flag.assignment.item.payload["question"],
            "text": each.text,
        }
        for each in reversed(answers)
    ]


def _notices(batch: Batch, request: StudyRequest) -> list[dict[str, Any]]:
    """The notices that the person has not dismissed; the script knows which are on the page."""
    return [
        {
            "notice": each.pk,
            "html": render_to_string("annotation/desk/_notice.html", {"notice": each}, request),
        }
        for each in notices_for([batch], request.user)
    ]


def _progress(ahead: Progress) -> dict[str, Any]:
    return {
        "n_done": ahead.n_done,
        "n_skipped": ahead.n_skipped,
        "n_left": ahead.n_left,
        "is_more": ahead.is_more,
        "seconds_left": ahead.seconds_left,
        **({"n_refused": ahead.n_refused} if ahead.price else {}),
        **({"n_part": ahead.n_part, "n_part_done": ahead.n_part_done} if ahead.n_part else {}),
    }
