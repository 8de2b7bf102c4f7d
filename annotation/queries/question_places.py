"""The place of an item among those of its batch with the same question."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from annotation import schemes
from annotation.models import Batch, Item
from annotation.models.items import FIRST_REPEAT
from annotation.schemes import Shows
from performance.compiled_queries import Compiled

# Other screens show all that there is to a question.
NOUNS = {Shows.ANSWER: "Answer", Shows.PAIR: "Comparison", Shows.ORDERED_PAIR: "Pair"}


def positions_of(turns: list[Any]) -> QuerySet[Item, tuple[int, int, int]]:
    """The turn, batch and position of each item on these turns, of every batch and in no order: of one batch in the
    order of positions, SQLite would go through all items of that batch.
    """
    return (
        Item.objects.filter(turn__pk__in=turns).order_by().values_list("turn", "batch", "position")
    )


POSITIONS = Compiled(lambda *, turns: positions_of(turns))


def question_places(batch: Batch, items: Sequence[Item]) -> dict[int, str]:
    """The places in words, as "Answer 2 of 4 to this question", by the item's key.

    "" for the only item of its question. All items count, also those that are excluded or have no places, so that
    a place does not tell them apart. A repeat has the place of its original, and does not count.
    """
    noun = NOUNS.get(schemes.get(batch.scheme).shows)
    if noun is None or not items:
        return {}
    positions = defaultdict(list)
    turns = sorted({item.turn_id for item in items})
    for turn, of, position in sorted(POSITIONS.all(turns=turns)):
        # Asked of the database, SQLite would look through all items that are no repeats.
        if of == batch.pk and position <= FIRST_REPEAT:
            positions[turn].append(position)
    return {item.pk: _words(noun, item.shown_position, positions[item.turn_id]) for item in items}


def _words(noun: str, position: int, among: list[int]) -> str:
    if len(among) < 2:
        return ""
    return f"{noun} {among.index(position) + 1} of {len(among)} to this question"
