"""The places of an item: open, claimed, counted. Each change is one call on a locked row."""

from annotation.models import Item


def move(item: Item, **change: int) -> None:
    """Change the counts of a locked item's places; the database refuses what cannot be.

    `move(item, n_open=-1, n_claimed=+1)` is a claim.
    """
    for name, step in change.items():
        setattr(item, name, getattr(item, name) + step)
    item.save(update_fields=list(change))
