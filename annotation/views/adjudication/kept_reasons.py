"""A reason that an adjudicator keeps: for one label, in one batch, for one sitting."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import HttpRequest
from django.utils import timezone

from annotation.models import Item

_KEY = "kept_reason"  # of the session
# Who decides nothing for so long has left, and begins the next sitting without it.
SITTING = timedelta(minutes=30)
now = timezone.now


@dataclass(frozen=True)
class KeptReason:
    label: str
    reason: str


def keep(request: HttpRequest, item: Item, label: str, reason: str) -> None:
    request.session[_KEY] = {
        "batch": item.batch_id,
        "label": label,
        "reason": reason,
        "used_at": now().isoformat(),
    }


def drop(request: HttpRequest) -> None:
    request.session.pop(_KEY, None)


def for_item(request: HttpRequest, item: Item) -> KeptReason | None:
    """The reason that is kept for items of this batch; None if there is none, or its sitting is over."""
    kept = request.session.get(_KEY)
    if not isinstance(kept, dict) or kept["batch"] != item.batch_id:
        return None
    if now() - datetime.fromisoformat(kept["used_at"]) > SITTING:
        return None
    return KeptReason(kept["label"], kept["reason"])


def extend(request: HttpRequest, item: Item) -> None:
    """Begin the time of the sitting again: the person has just decided."""
    kept = for_item(request, item)
    if kept is not None:
        keep(request, item, kept.label, kept.reason)
