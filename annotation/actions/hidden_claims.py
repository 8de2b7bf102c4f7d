"""Control items and repeats among the items that a claim hands out. They have no places, so they are not locked.

Nothing that a browser could time tells one from another item: a batch that has them runs the same statements for
every claim and every judgement, if need be of no row or of another one (docs/adr/0064-hidden-controls-and-repeats.md).
"""

from collections.abc import Sequence
from typing import Protocol

from annotation.actions import repeats
from annotation.design import control_draws
from annotation.design.control_draws import Place
from annotation.models import Cursor, Item
from annotation.queries import hidden_items, own_controls, own_repeats
from annotation.queries.own_controls import ControlItem
from annotation.queries.own_repeats import OwnItem

Hidden = ControlItem | OwnItem


class _Source(Protocol):
    """What is hidden of one kind. Made with one query; items() costs the same queries however many it is asked for."""

    def taken(self, place: Place, turn: int) -> Hidden | None:
        """Take away and return the one that comes at this place, before an item of this question; None if none does."""

    def items(self, hidden: Sequence[Hidden]) -> dict[int, Item]:
        """Return the items to hand out, by the keys of those of `hidden` that are of this kind."""


class _Controls:
    def __init__(self, cursor: Cursor) -> None:
        self._draws = own_controls.draws_of(cursor.batch, cursor.annotator_id)
        self._found = own_controls.own_controls(cursor.batch, cursor.annotator_id)

    def taken(self, place: Place, turn: int) -> Hidden | None:
        is_halved = self._found.is_halved
        if not control_draws.is_due(self._draws, place, turn, halved=is_halved):
            return None
        return self._found.free.pop(0) if self._found.free else None

    def items(self, hidden: Sequence[Hidden]) -> dict[int, Item]:
        return own_controls.items_of([each for each in hidden if isinstance(each, ControlItem)])


class _Repeats:
    def __init__(self, cursor: Cursor, beside: Item) -> None:
        self._draws = own_repeats.draws_of(cursor.batch, cursor.annotator_id)
        self._free = own_repeats.own_items(cursor.batch, cursor.annotator_id)
        self._beside = beside

    def taken(self, place: Place, turn: int) -> Hidden | None:
        if not control_draws.is_due(self._draws, place, turn):
            return None
        # Not beside another item of its question: there it would be known at once.
        found = next((each for each in self._free if each.turn_id not in (turn, place.turn)), None)
        if found is not None:
            self._free.remove(found)
        return found

    def items(self, hidden: Sequence[Hidden]) -> dict[int, Item]:
        keys = [each.pk for each in hidden if isinstance(each, OwnItem)]
        return repeats.repeats_of(keys, self._beside)


def with_hidden(cursor: Cursor, items: Sequence[Item], n: int) -> list[Item]:
    """At most `n` of the items, in their order, with the control items and repeats that come before and among them.

    Two queries where the batch has control items, four statements where it has repeats, whether one comes or not.
    After the last item none comes: who has nothing left to judge is done.
    """
    if not items:
        return []
    sources = _sources(cursor, items[0])
    place = hidden_items.place_of(cursor)
    mixed: list[Item | Hidden] = []
    for item in items:
        while len(mixed) < n and (hidden := _next(sources, place, item.turn_id)):
            mixed.append(hidden)
            place = place.after_hidden(hidden.turn_id)
        if len(mixed) == n:
            break
        mixed.append(item)
        place = place.after(item.turn_id)
    cursor.last_turn, cursor.run_from = place.turn, place.run_from
    wanted = [each for each in mixed if not isinstance(each, Item)]
    found = {key: item for source in sources for key, item in source.items(wanted).items()}
    return [each if isinstance(each, Item) else found[each.pk] for each in mixed]


def _sources(cursor: Cursor, beside: Item) -> list[_Source]:
    """Control items come first where both are due."""
    found: list[_Source] = []
    if cursor.batch.control_every is not None:
        found.append(_Controls(cursor))
    if cursor.batch.has_repeats:
        found.append(_Repeats(cursor, beside))
    return found


def _next(sources: Sequence[_Source], place: Place, turn: int) -> Hidden | None:
    return next((hidden for each in sources if (hidden := each.taken(place, turn))), None)
