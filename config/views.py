import logging

from django.conf import settings
from django.db import Error
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from jobs.actions import liveness

logger = logging.getLogger(__name__)


@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """Return 200 if the database answers and a worker is alive, else 503 with the reasons."""
    try:
        parts = {
            "database": "ok",
            "worker": "ok" if liveness.worker_is_alive() else "not heard of",
        }
    except Error as error:
        logger.warning("the database does not answer: %s", error)
        parts = {"database": "does not answer", "worker": "not known"}
    is_well = set(parts.values()) == {"ok"}
    return JsonResponse(
        {"status": "ok" if is_well else "failing", "version": settings.VERSION, **parts},
        status=200 if is_well else 503,
    )
