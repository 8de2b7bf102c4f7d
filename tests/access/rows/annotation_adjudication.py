from typing import Any

from tests.access.table import Row, in_study, only
from tests.access.world import World


def item(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "item": world.item.public_id}


def batch(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "batch": world.batch.pk}


SETTLES = ("adjudicator", "requester")

ROWS = {
    "disputes": Row(expected=only(*SETTLES), options=in_study),
    # A batch of another scheme than writing has no such list.
    "written_pairs": Row(expected=only(*SETTLES, allowed=404), options=batch),
    "item": Row(expected=only(*SETTLES), options=item),
    "item_adjudicate": Row(expected=only("adjudicator", allowed=400), options=item, method="post"),
    "item_exclude": Row(expected=only(*SETTLES, allowed=400), options=item, method="post"),
    "item_readmit": Row(expected=only(*SETTLES, allowed=400), options=item, method="post"),
    "item_note": Row(expected=only(*SETTLES, allowed=400), options=item, method="post"),
    "batch_sources": Row(expected=only("adjudicator", allowed=302), options=batch, method="post"),
    "votes_preference": Row(
        expected=only("adjudicator", allowed=302), options=in_study, method="post"
    ),
    "item_retract": Row(expected=only("adjudicator", allowed=302), options=item, method="post"),
    "item_unclear": Row(expected=only(*SETTLES, allowed=302), options=item, method="post"),
    "second_queue": Row(expected=only("adjudicator"), options=in_study),
    # Nothing waits there for a second look: it leads to the item.
    "item_second": Row(expected=only("adjudicator", allowed=302), options=item),
    "item_ask_again": Row(expected=only("requester", allowed=302), options=item, method="post"),
}
