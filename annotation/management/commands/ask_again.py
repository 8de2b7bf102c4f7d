from collections.abc import Mapping
from typing import Any, ClassVar

from annotation.actions import reviews
from annotation.commands import ITEM, BatchCommand
from annotation.queries import item_takers
from annotation.review_decisions import ReviewError


class Command(BatchCommand):
    help = "Ask for one more judgement of an item. A closed batch reopens for it."
    expected: ClassVar = (ReviewError,)
    named: ClassVar = (ITEM,)

    def act(self, **options: Any) -> Mapping[str, Any]:
        item = reviews.ask_again(item=options["item"], by=options["by"])
        item.batch.refresh_from_db(fields=["state"])
        return {
            "item": str(item.public_id),
            "n_wanted": item.n_wanted,
            "n_open": item.n_open,
            "batch_state": item.batch.state,
            "nobody_left": bool(item_takers.without_taker(item.batch, {item.pk})),
        }
