"""Control items among the items that a claim hands out. A control item has no places, so it is not locked.

Nothing that a browser could time tells a control item from another: a batch that has them runs the same statements
for every claim and every judgement, if need be of no row (docs/adr/0064-hidden-controls.md).
"""

from collections.abc import Sequence

from annotation.design import control_draws
from annotation.models import Cursor, Item
from annotation.queries import own_controls
from annotation.queries.own_controls import ControlItem


def with_controls(cursor: Cursor, items: Sequence[Item], n: int) -> list[Item]:
    """At most `n` of the items, in their order, with the control items that come before and among them.

    Two queries, whether a control item comes or not. After the last item no control item comes: who has nothing left
    to judge is done.
    """
    if not items:
        return []
    batch = cursor.batch
    draws = own_controls.draws_of(batch, cursor.annotator_id)
    place = own_controls.place_of(cursor)
    found = own_controls.own_controls(batch, cursor.annotator_id)
    mixed: list[Item | ControlItem] = []
    for item in items:
        while control_draws.is_due(draws, place, item.turn_id) and len(mixed) < n:
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
    of_controls = own_controls.items_of([each for each in mixed if isinstance(each, ControlItem)])
    return [of_controls[each.pk] if isinstance(each, ControlItem) else each for each in mixed]
