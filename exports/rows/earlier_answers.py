"""Which accepted answers of a release that was read back stand beside what people decided here. Imports no Django."""

from collections.abc import Iterable, Mapping, Sequence

from annotation.schemes import ACCEPTANCE
from exports.rows.columns import AnswerRow, ItemRow
from exports.rows.tiers import GOLD, SILVER

Record = dict[str, object]
# Accepted answers by turn.
Earlier = Mapping[str, Sequence[Record]]


def stands(tier_earlier: str, tier_here: str | None) -> bool:
    """Return whether what an earlier release accepted stays so; `tier_here` is None where nobody decided here.

    One that is gold there stays so if it is silver here: nobody was asked here whether it is faithful.
    """
    return tier_here is None or (tier_here == SILVER and tier_earlier == GOLD)


def standing_earlier(
    earlier: Earlier, items: Iterable[ItemRow], answers: Iterable[AnswerRow]
) -> dict[str, list[Record]]:
    """Return by turn the accepted answers of an earlier release about which nobody decided here."""
    tiers = {row.answer_id: row.tier for row in answers if row.answer_id}
    decided = {
        (item.turn_id, item.answer): tiers.get(item.answer_id, "")
        for item in deciding_items(items).values()
        if item.scheme == ACCEPTANCE.name and item.state == "decided"
    }
    standing = {
        turn: [
            each
            for each in records
            if stands(str(each["tier"]), decided.get((turn, str(each["answer"]))))
        ]
        for turn, records in earlier.items()
    }
    return {turn: records for turn, records in standing.items() if records}


def deciding_items(items: Iterable[ItemRow]) -> dict[tuple[str, str], ItemRow]:
    """The deciding items by scheme and answer id."""
    found: dict[tuple[str, str], ItemRow] = {}
    for item in items:
        if item.is_control or not (item.is_newest and item.stands):
            continue
        first = found.setdefault((item.scheme, item.answer_id), item)
        if first is not item:
            raise ValueError(
                f"two items have the say on the {item.scheme} of the answer {item.answer_id}:"
                f" {first.item_id} and {item.item_id}"
            )
    return found
