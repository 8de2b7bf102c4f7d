"""Addresses for monitoring: whether the process answers, the database, a worker; and the metrics."""

import logging

from django.conf import settings
from django.db import Error, connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from config.exposition import exposition
from jobs.actions import liveness

logger = logging.getLogger(__name__)


class Watched:
    """A part of the program that logs when it fails and when it is well again, not each time it is asked for."""

    def __init__(self) -> None:
        self.is_well = True

    def fails(self, *message: object) -> None:
        if self.is_well:
            logger.warning(*message)
        self.is_well = False

    def is_back(self, message: str) -> None:
        if not self.is_well:
            logger.warning(message)
        self.is_well = True


DATABASE, WORKER = Watched(), Watched()


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
    DATABASE.is_back("the database answers again")
    parts = {"status": "ok", "database": "ok"}
    if not liveness.CLOCK.look(difference):
        parts["clock"] = f"{difference.total_seconds():+.0f} seconds from the database's"
    return JsonResponse(parts)


@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """Return 200 if the database answers and a worker is alive, else 503 with the reasons."""
    try:
        is_alive = liveness.worker_is_alive()
    except Error as error:
        return _failing(error, worker="not known")
    DATABASE.is_back("the database answers again")
    if is_alive:
        WORKER.is_back("a worker was heard of again")
        return JsonResponse({"status": "ok", "database": "ok", "worker": "ok"})
    WORKER.fails("no worker was heard of lately")
    parts = {"status": "failing", "database": "ok", "worker": "not heard of"}
    return JsonResponse(parts, status=503)


def _failing(error: Error, **parts: str) -> JsonResponse:
    DATABASE.fails("the database does not answer: %s", error)
    return JsonResponse({"status": "failing", "database": "does not answer", **parts}, status=503)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics to whoever has the token for them. Without a token in the settings there is no such page."""
    if not settings.METRICS_TOKEN:
        raise Http404
    kind, _, given = request.headers.get("Authorization", "").partition(" ")
    is_known = constant_time_compare(given.strip(), settings.METRICS_TOKEN)
    if kind.lower() == "bearer" and is_known:
        return HttpResponse(exposition(), content_type=CONTENT_TYPE_PLAIN_0_0_4)
    return HttpResponse(
        "Send the token of TOUCHSTONE_METRICS_TOKEN: Authorization: Bearer TOKEN\n",
        status=401,
        content_type="text/plain",
        headers={"WWW-Authenticate": 'Bearer realm="metrics"'},
    )
