"""Repeats: an item of a batch once more, for people who judged it. docs/adr/0064 is the design.

A repeat is an item without places that shows what its original shows. There is one of an original, which people who
judged it share, so that nobody is handed it twice; it is made when the first of them is handed it.
"""

from collections.abc import Collection

from django.db.models import Q

from annotation.models import Item
from annotation.models.items import FIRST_REPEAT
from performance.compiled_queries import Compiled

ORIGINALS = Compiled(lambda *, pks: Item.objects.filter(pk__in=pks).order_by("pk"))
REPEATS = Compiled(
    lambda *, originals, beside: Item.objects.filter(
        Q(repeats__pk__in=originals) | Q(pk__in=beside)
    )
)
# A key that no row has.
NONE = 0


def repeats_of(originals: Collection[int], beside: Item) -> dict[int, Item]:
    """The repeats of these items (keys), made where there is none yet, by the keys of the originals.

    Three statements, also of none, so that a claim without a repeat takes as long as one with: they then read `beside`,
    an item of the batch, and make nothing. Two people who need one at the same moment wait for each other here, in the
    order of keys; no other lock is taken later that somebody else could hold.
    """
    keys = list(originals)
    make = _repeat if keys else _refused
    made = [make(each) for each in ORIGINALS.all(pks=keys or [beside.pk])]
    Item.objects.bulk_create(made, ignore_conflicts=True)
    found = REPEATS.all(originals=keys or [NONE], beside=[NONE if keys else beside.pk])
    return {item.repeats_id: item for item in found if item.repeats_id}


def _repeat(original: Item) -> Item:
    made = _copy(original, position=FIRST_REPEAT + original.position, repeats=original)
    made.is_excluded = original.is_excluded  # in this moment, by somebody else
    return made


def _refused(item: Item) -> Item:
    """A row that the database does not take, as its place in the batch is that of the item."""
    return _copy(item, position=item.position, repeats=None)


def _copy(item: Item, *, position: int, repeats: Item | None) -> Item:
    return Item(
        batch_id=item.batch_id,
        turn_id=item.turn_id,
        position=position,
        payload=item.payload,
        payload_sha256=item.payload_sha256,
        came_from_id=item.came_from_id,
        repeats=repeats,
        n_wanted=None,
    )


def exclude_as(original: Item) -> None:
    """Set on the repeat of the item, if there is one, whether it is excluded: as the item is."""
    Item.objects.filter(repeats=original).update(is_excluded=original.is_excluded)
