"""For who watches over the program: is it alive, can it answer for pages, is all of it there."""

import logging

from django.db import Error, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from jobs.actions import liveness

logger = logging.getLogger(__name__)


@require_safe
def live(request: HttpRequest) -> JsonResponse:
    """Return 200: this process answers."""
    return JsonResponse({"status": "ok"})


@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """Return 200 if the database answers, so that pages do; else 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        difference = liveness.clock_difference()
    except Error as error:
        return _failing(error)
    parts = {"status": "ok", "database": "ok"}
    if not liveness.CLOCK.look(difference):
        parts["clock"] = f"{difference.total_seconds():+.0f} seconds from the database's"
    return JsonResponse(parts)


@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """Return 200 if the database answers and a worker is alive, else 503 with the reasons."""
    try:
        worker = "ok" if liveness.worker_is_alive() else "not heard of"
    except Error as error:
        return _failing(error, worker="not known")
    status = "ok" if worker == "ok" else "failing"
    parts = {"status": status, "database": "ok", "worker": worker}
    return JsonResponse(parts, status=200 if status == "ok" else 503)


def _failing(error: Error, **parts: str) -> JsonResponse:
    logger.warning("the database does not answer: %s", error)
    return JsonResponse({"status": "failing", "database": "does not answer", **parts}, status=503)
