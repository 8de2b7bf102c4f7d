"""A pool of pairs of accepted answers, on its page."""

from typing import Any

from accounts.guards import StudyRequest
from corpus.models import turn_key
from pages.listing import Column, Listing
from sampling.models import AnswerPair, Pool

COLUMNS = (
    Column("turn", "Turn", ("first__turn__conversation__position", "first__turn__number")),
    Column("first", "Question, and answer A"),
    Column("second", "Answer B"),
)
PER_PAGE = 25


def context(request: StudyRequest, pool: Pool) -> dict[str, Any]:
    rows = (
        AnswerPair.objects.filter(pool=pool)
        .select_related("first__turn__conversation", "second")
        .annotate(key=turn_key("first__turn__"))
        .order_by("position")
    )
    listing = Listing(
        request,
        rows,
        columns=COLUMNS,
        search=("first__text", "second__text", "first__turn__question", "key"),
        per_page=PER_PAGE,
    )
    return {"listing": listing, "pairs": list(listing.page)}
