"""The places of an item: open, reserved, claimed, counted. Each function expects a locked row."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.db.models import F

from annotation.models import Assignment, Item
from performance.compiled_queries import Compiled

THE_ITEM = Compiled(lambda *, pk: Item.objects.filter(pk=pk))
# A key that no row has.
NO_ITEM = 0
THE_ITEMS = Compiled(lambda *, pks: Item.objects.filter(pk__in=pks))


def move(item: Item, **change: int) -> None:
    """Change the counts of a locked item's places; a constraint of the database refuses invalid counts.

    `move(item, n_open=-1, n_claimed=+1)` is a claim. A control item has no places, and stays as it is; the same
    statement runs of no row, so that it takes as long.
    """
    if not change:
        return
    if item.n_wanted is None:
        THE_ITEM.update({name: getattr(item, name) for name in change}, pk=NO_ITEM)
        return
    for name, step in change.items():
        setattr(item, name, getattr(item, name) + step)
    THE_ITEM.update({name: getattr(item, name) for name in change}, pk=item.pk)


def move_all(items: Sequence[Item], **change: int) -> None:
    """Apply the same change to several locked items, or run the same statement of none."""
    for item in items:
        for name, step in change.items():
            setattr(item, name, getattr(item, name) + step)
    steps = {name: F(name) + step for name, step in change.items()}
    THE_ITEMS.update(steps, pks=[item.pk for item in items] or [NO_ITEM])


def free_place(assignment: Assignment) -> str:
    """The name of the count to which the place of a claim goes back, and from which it is claimed again."""
    return "n_reserved" if assignment.is_reserved else "n_open"


def change_to_count_again(item: Item) -> dict[str, int] | None:
    """The change that counts one more judgement: in a closed place, else in an open one.

    None if the item has all its judgements. {} for a control item, which has no places.
    """
    if item.n_wanted is None:
        return {}
    if item.n_asked < item.n_wanted:
        return {"n_counted": +1}
    return {"n_open": -1, "n_counted": +1} if item.n_open else None


def change_to_stop_counting(item: Item) -> dict[str, int]:
    """The change that counts one judgement fewer and closes its place."""
    return {} if item.n_wanted is None else {"n_counted": -1}


def change_to_ask_again(item: Item) -> dict[str, int]:
    """The change that asks for one more judgement: in a closed place, else in an additional one."""
    if item.n_asked == item.n_wanted:
        return {"n_wanted": +1, "n_open": +1}
    return {"n_open": +1}


def apply_unsaved(item: Item, change: Mapping[str, int]) -> None:
    """Change the counts in memory; save_all() writes them."""
    for name, by in change.items():
        setattr(item, name, getattr(item, name) + by)


def save_all(items: Sequence[Item]) -> None:
    """Write the counts of locked items, with one query for all items of equal counts."""
    alike: dict[tuple[int | None, int, int], list[int]] = defaultdict(list)
    for item in items:
        alike[item.n_wanted, item.n_open, item.n_counted].append(item.pk)
    for (n_wanted, n_open, n_counted), pks in alike.items():
        Item.objects.filter(pk__in=pks).update(
            n_wanted=n_wanted, n_open=n_open, n_counted=n_counted
        )
