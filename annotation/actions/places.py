"""The places of an item: open, claimed, counted. Each change is one call on a locked row."""

from collections.abc import Sequence

from django.db.models import F

from accounts.compiled import Compiled
from annotation.models import Item

THE_ITEM = Compiled(lambda *, pk: Item.objects.filter(pk=pk))
THE_ITEMS = Compiled(lambda *, pks: Item.objects.filter(pk__in=pks))


def move(item: Item, **change: int) -> None:
    """Change the counts of a locked item's places; the database refuses what cannot be.

    `move(item, n_open=-1, n_claimed=+1)` is a claim.
    """
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
