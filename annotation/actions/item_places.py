"""The places of an item: open, claimed, counted. Each change is one call on a locked row."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.db.models import F

from annotation.models import Item
from performance.compiled_queries import Compiled

THE_ITEM = Compiled(lambda *, pk: Item.objects.filter(pk=pk))
THE_ITEMS = Compiled(lambda *, pks: Item.objects.filter(pk__in=pks))


def move(item: Item, **change: int) -> None:
    """Change the counts of a locked item's places; the database refuses what cannot be.

    `move(item, n_open=-1, n_claimed=+1)` is a claim.
    """
    if not change:
        return
    for name, step in change.items():
        setattr(item, name, getattr(item, name) + step)
    THE_ITEM.update({name: getattr(item, name) for name in change}, pk=item.pk)


def move_all(items: Sequence[Item], **change: int) -> None:
    """The same change for several locked items."""
    for item in items:
        for name, step in change.items():
            setattr(item, name, getattr(item, name) + step)
    steps = {name: F(name) + step for name, step in change.items()}
    THE_ITEMS.update(steps, pks=[item.pk for item in items])


def to_count_again(item: Item) -> dict[str, int] | None:
    """The change by which one judgement more counts: a shut place is opened for it, or an open one taken.

    None where the item has all that it wants. A control item has no places: nothing changes.
    """
    if item.n_wanted is None:
        return {}
    if item.n_open + item.n_claimed + item.n_counted < item.n_wanted:
        return {"n_counted": +1}
    return {"n_open": -1, "n_counted": +1} if item.n_open else None


def to_count_no_more(item: Item) -> dict[str, int]:
    """The change by which one judgement less counts: its place is shut."""
    return {} if item.n_wanted is None else {"n_counted": -1}


def to_ask_again(item: Item) -> dict[str, int]:
    """The change by which one more is asked for: a shut place is opened, or one more than was wanted."""
    if item.n_open + item.n_claimed + item.n_counted == item.n_wanted:
        return {"n_wanted": +1, "n_open": +1}
    return {"n_open": +1}


def step(item: Item, change: Mapping[str, int]) -> None:
    """Change the counts of the item at hand only; keep() writes them."""
    for name, by in change.items():
        setattr(item, name, getattr(item, name) + by)


def keep(items: Sequence[Item]) -> None:
    """Write the counts of locked items as they are at hand; those that are alike by one query."""
    alike: dict[tuple[int | None, int, int], list[int]] = defaultdict(list)
    for item in items:
        alike[item.n_wanted, item.n_open, item.n_counted].append(item.pk)
    for (n_wanted, n_open, n_counted), pks in alike.items():
        Item.objects.filter(pk__in=pks).update(
            n_wanted=n_wanted, n_open=n_open, n_counted=n_counted
        )
