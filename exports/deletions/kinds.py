"""The kinds of things that can be deleted while nothing uses them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from exports.deletions import actions, uses
from exports.withdrawals import kinds as withdrawable


@dataclass(frozen=True)
class Kind:
    """A kind of thing; `about` says how it is found. `delete` takes it by the name of its kind.

    `listing` is the name of the page that it was listed on.
    """

    about: withdrawable.Kind
    uses: Callable[[Any], list[str]]
    delete: Callable[..., None]
    listing: str
    goes: str


KINDS = {
    "pool": Kind(
        withdrawable.POOL,
        uses.of_pool,
        actions.delete_pool,
        "pools",
        "Its candidates, and what became of each answer, are deleted with it.",
    ),
    "run": Kind(
        withdrawable.RUN,
        uses.of_run,
        actions.delete_run,
        "runs",
        "Its answers and what they cite are deleted with it.",
    ),
    "dataset": Kind(
        withdrawable.DATASET,
        uses.of_dataset,
        actions.delete_dataset,
        "datasets",
        "Its questions, references and passages are deleted with it. Other versions stay.",
    ),
}
