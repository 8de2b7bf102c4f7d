"""Control items among the items that a claim hands out. A control item has no places, so it is not locked."""

from collections.abc import Sequence

from annotation.design import control_draws
from annotation.models import Cursor, Item
from annotation.queries import own_controls


def with_controls(cursor: Cursor, items: Sequence[Item], n: int) -> list[Item]:
    """At most `n` of the items, in their order, with the control items that come before and among them.

    Without a query where the batch has no control items, or none is drawn; else with one. After the last item no
    control item comes: who has nothing left to judge is done.
    """
    batch = cursor.batch
    draws = own_controls.draws_of(batch, cursor.annotator_id)
    place = own_controls.place_of(cursor)
    found = None
    mixed: list[Item] = []
    for item in items:
        while control_draws.is_due(draws, place, item.turn_id) and len(mixed) < n:
            found = found or own_controls.own_controls(batch, cursor.annotator_id)
            is_skipped = found.is_halved and not control_draws.is_due(
                draws, place, item.turn_id, halved=True
            )
            if is_skipped or not found.free:
                break
            control = found.free.pop(0)
            mixed.append(control)
            place = place.after_control(control.turn_id)
        if len(mixed) == n:
            break
        mixed.append(item)
        place = place.after(item.turn_id)
    cursor.last_turn, cursor.run_from = place.turn, place.run_from
    return mixed
