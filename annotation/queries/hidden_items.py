"""How many control items and repeats come among the items of a person in a batch."""

from collections.abc import Sequence

from annotation.design import control_draws
from annotation.design.control_draws import Place
from annotation.models import Cursor, Grouping
from annotation.queries import own_controls, own_repeats


def place_of(cursor: Cursor) -> Place:
    is_grouped = cursor.batch.grouping != Grouping.NONE
    return Place(cursor.n_taken, cursor.last_turn, cursor.run_from, is_grouped)


def n_ahead(cursor: Cursor, turns: Sequence[int]) -> int:
    """How many control items and repeats the person is handed before and among items of these questions. One query
    where the batch has control items, else none.
    """
    batch, annotator = cursor.batch, cursor.annotator_id
    if not batch.has_hidden_items or not turns:
        return 0
    most = own_controls.n_free(batch, annotator) | own_repeats.most_free(batch, annotator)
    return control_draws.n_ahead(place_of(cursor), turns, most)
