"""The accepted answers of an earlier release that a data set has read: which of them stand in a release of it.

The only place that says so. One stands unless people have decided about it here; it stands, too, where it is gold
there and silver here, because nobody was asked here whether it is faithful. Imports no Django.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from annotation.schemes import ACCEPTANCE
from exports.rows.columns import AnswerRow, ItemRow
from exports.rows.ids import answer_id
from exports.rows.pairs import RELATIONS
from exports.rows.tiers import GOLD, SILVER, TIERS
from scoring.text_hashes import text_sha256

NAME = "earlier.json"
Record = dict[str, object]
# Accepted answers by turn, as releases have them.
Earlier = Mapping[str, Sequence[Record]]
NONE_EARLIER: Earlier = MappingProxyType({})
# A distinct answer: its turn and its text.
Answer = tuple[str, str]
# In the report: how many of the earlier gold answers are counted as silver ones of this release, too.
GOLD_ALSO_SILVER = "gold_also_silver"


def standing(earlier: Earlier, decided: Mapping[Answer, str]) -> dict[str, list[Record]]:
    """Return by turn those of the earlier answers that stand.

    `decided` has the tier here of each answer about whose plausibility people decided, "" where it is not accepted.
    """
    found = {
        turn: [
            each
            for each in records
            if stands(str(each["tier"]), decided.get((turn, str(each["answer"]))))
        ]
        for turn, records in earlier.items()
    }
    return {turn: records for turn, records in found.items() if records}


def stands(tier_earlier: str, tier_here: str | None) -> bool:
    """Return whether an earlier answer stands; `tier_here` is None where nobody decided about it here."""
    return tier_here is None or (tier_here == SILVER and tier_earlier == GOLD)


def tiers(found: Earlier) -> dict[Answer, str]:
    return {(turn, str(each["answer"])): str(each["tier"]) for turn, each in _each(found)}


def by_id(found: Earlier) -> dict[str, Record]:
    """Return the answers by the ids that they would have in the tables of a release."""
    return {answer_id(turn, text_sha256(str(each["answer"]))): each for turn, each in _each(found)}


def _each(found: Earlier) -> Iterator[tuple[str, Record]]:
    return ((turn, each) for turn, records in found.items() for each in records)


def figures(found: Earlier, decided: Mapping[Answer, str]) -> dict[str, dict[str, int]]:
    """Return for the report how many stand by tier, and how many gold ones `accepted` counts as silver; nothing where none stands."""
    of = tiers(found)
    if not of:
        return {}
    numbers = {tier: list(of.values()).count(tier) for tier in TIERS}
    also_silver = sum(tier == GOLD and decided.get(answer) == SILVER for answer, tier in of.items())
    return {"accepted_earlier": numbers | {GOLD_ALSO_SILVER: also_silver}}


def accepted_in_files(report: Mapping[str, Any]) -> dict[str, int]:
    """Return the number of accepted answers of each tier in silver.json, from a report or a manifest."""
    accepted: dict[str, int] = report["accepted"]
    more = report.get("accepted_earlier", {})
    twice = {SILVER: more.get(GOLD_ALSO_SILVER, 0)}
    return {tier: accepted[tier] + more.get(tier, 0) - twice.get(tier, 0) for tier in TIERS}


def tiers_decided(items: Iterable[ItemRow], answers: Iterable[AnswerRow]) -> dict[Answer, str]:
    """Return the tier of each answer about whose plausibility people decided, "" where it is not accepted."""
    tiers = {row.answer_id: row.tier for row in answers if row.answer_id}
    return {
        (item.turn_id, item.answer): tiers.get(item.answer_id, "")
        for item in deciding_items(items).values()
        if item.scheme == ACCEPTANCE.name and item.state == "decided"
    }


def deciding_items(items: Iterable[ItemRow]) -> dict[tuple[str, str], ItemRow]:
    """The deciding items by scheme and answer id."""
    found: dict[tuple[str, str], ItemRow] = {}
    for item in items:
        if item.is_control or not (item.is_newest and item.stands):
            continue
        if item.scheme in RELATIONS:  # which decide nothing of an answer
            continue
        first = found.setdefault((item.scheme, item.answer_id), item)
        if first is not item:
            raise ValueError(
                f"two items have the say on the {item.scheme} of the answer {item.answer_id}:"
                f" {first.item_id} and {item.item_id}"
            )
    return found
