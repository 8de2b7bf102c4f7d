"""A pool of questions to curate, on its page."""

from itertools import groupby
from typing import Any

from accounts.guards import StudyRequest
from corpus.models import Turn
from pages.listing import Column, Listing
from sampling.models import Pool, PoolPassage

COLUMNS = (
    Column("turn", "Turn", ("conversation__position", "number")),
    Column("question", "Question, and its passages"),
    Column("part", "Part", ("part", "conversation__position")),
)
PER_PAGE = 25


def context(request: StudyRequest, pool: Pool) -> dict[str, Any]:
    rows = (
        Turn.objects.filter(pool_passages__pool=pool)
        .distinct()
        .select_related("conversation")
        .order_by("conversation__position", "number")
    )
    listing = Listing(
        request,
        rows,
        columns=COLUMNS,
        search=("question", "rewrite", "conversation__key"),
        per_page=PER_PAGE,
    )
    turns = list(listing.page)
    shown = PoolPassage.objects.filter(pool=pool, turn__in=turns).select_related("passage")
    passages = {
        turn: [each.passage for each in group]
        for turn, group in groupby(
            shown.order_by("turn_id", "position"), key=lambda each: each.turn_id
        )
    }
    return {
        "listing": listing,
        "questions": [(turn, passages.get(turn.pk, [])) for turn in turns],
    }
