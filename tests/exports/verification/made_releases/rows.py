"""Rows of the tables of releases made from a seed, without a database: of every kind of item, judgement and answer.

People judge each answer of some runs, and whether the plausible ones are faithful.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from exports.rows.columns import AnswerRow, ItemRow, JudgementRow
from exports.rows.derived_columns import PrecisionRow, RelationRow
from exports.rows.relations import relation_rows
from exports.rows.tiers import tier
from tests.exports.verification.made_releases.answers import answers as answers_of
from tests.exports.verification.made_releases.audits import precision
from tests.exports.verification.made_releases.judged import batch
from tests.exports.verification.made_releases.pairs import pairs_of
from tests.exports.verification.made_releases.source import Size, Source

USUAL = Size()


@dataclass(frozen=True)
class Rows:
    judgements: list[JudgementRow]
    items: list[ItemRow]
    answers: list[AnswerRow]
    precision: list[PrecisionRow]
    relations: list[RelationRow]


def made_rows(seed: int, *, rule: str = "unanimous", size: Size = USUAL) -> Rows:
    """The rows of a release's tables."""
    source = Source(seed, rule, size)
    answers = answers_of(source)
    runs: dict[str, list[str]] = defaultdict(list)
    one_of: dict[str, AnswerRow] = {}
    for row in answers:
        if row.answer_id:
            runs[row.answer_id].append(row.run)
            one_of.setdefault(row.answer_id, row)
    names = {key: "|".join(sorted(of)) for key, of in runs.items()}
    first = [(row, names[key], "") for key, row in one_of.items()]
    plausibility, said = batch(source, "plausibility", first)
    second = [
        (one_of[item.answer_id], names[item.answer_id], item.item_id)
        for item in plausibility
        if item.verdict == "plausible" and source.random.random() < 0.9
    ]
    faithfulness, said_again = batch(source, "faithfulness", second)
    items = sorted(
        [*plausibility, *faithfulness], key=lambda r: (r.batch, r.turn_id, r.answer_id, r.item_id)
    )
    of_answers = _items_of(items)
    answers = [_with_outcome(row, of_answers, runs) for row in answers]
    audits = precision(source, answers) if size.is_audited else []
    pairs, said_of_pairs, shown_first = pairs_of(source, answers, names)
    items = sorted([*items, *pairs], key=lambda r: (r.batch, r.turn_id, r.answer_id, r.item_id))
    tiers = {row.answer_id: row.tier for row in answers if row.answer_id}
    relations = relation_rows(items, tiers, shown_first)
    return Rows([*said, *said_again, *said_of_pairs], items, answers, audits, relations)


def _items_of(items: Sequence[ItemRow]) -> Mapping[tuple[str, str], ItemRow]:
    return {(row.scheme, row.answer_id): row for row in items if not row.is_control}


def _with_outcome(
    row: AnswerRow, items: Mapping[tuple[str, str], ItemRow], runs: Mapping[str, Sequence[str]]
) -> AnswerRow:
    if not row.answer_id:
        return row
    plausibility = _word(items["plausibility", row.answer_id])
    item = items.get(("faithfulness", row.answer_id))
    faithfulness = _word(item) if item else "not_asked"
    faithfulness = faithfulness if plausibility == "plausible" else ""
    is_asked = item and faithfulness not in ("", "not_asked", "no_evidence")
    return replace(
        row,
        plausibility=plausibility,
        faithfulness=faithfulness,
        tier=tier(plausibility, faithfulness),
        first_credit=row.run == min(runs[row.answer_id]),
        own_evidence=_own(row.run, item) if item and is_asked else "",
    )


def _word(item: ItemRow) -> str:
    reason = item.set_aside_reason.replace(" ", "_")
    return item.verdict or reason or ("disputed" if item.state else "unjudged")


def _own(run: str, item: ItemRow) -> str:
    if run in item.quoted_by.split("|"):
        return "quoted"
    return "cited" if run in item.cited_by.split("|") else "pool" if item.evidence else "none"
