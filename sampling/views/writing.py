"""A pool of questions to write answers to, on its page."""

from typing import Any

from accounts.guards import StudyRequest
from corpus.models import turn_key
from pages.listing import Column, Listing
from sampling.models import Pool, PoolPassage

COLUMNS = (
    Column("turn", "Turn", ("turn__conversation__position", "turn__number")),
    Column("question", "Question, and its passage"),
    Column("part", "Part", ("turn__part", "turn__conversation__position")),
)
PER_PAGE = 25


def context(request: StudyRequest, pool: Pool) -> dict[str, Any]:
    rows = (
        PoolPassage.objects.filter(pool=pool)
        .select_related("turn__conversation", "passage")
        .annotate(key=turn_key("turn__"))
        .order_by("turn__conversation__position", "turn__number")
    )
    listing = Listing(
        request,
        rows,
        columns=COLUMNS,
        search=("turn__question", "turn__rewrite", "passage__text", "passage__title", "key"),
        per_page=PER_PAGE,
    )
    return {"listing": listing, "passages": list(listing.page)}
