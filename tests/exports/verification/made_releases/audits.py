"""The audited answers of made releases."""

from collections.abc import Sequence

from exports.precision_audit.estimate import holds
from exports.rows.columns import AnswerRow
from exports.rows.derived_columns import PrecisionRow
from exports.rows.tiers import TIERS
from tests.exports.verification.made_releases.source import Source


def precision(source: Source, answers: Sequence[AnswerRow]) -> list[PrecisionRow]:
    accepted = {row.answer_id: row for row in answers if row.tier}
    n_of = {name: sum(row.tier == name for row in accepted.values()) for name in TIERS}
    rows = []
    for row in source.random.sample(list(accepted.values()), len(accepted) // 3):
        plausible = source.random.choice([*["plausible"] * 5, "implausible", ""])
        is_asked = row.tier == "gold" and plausible == "plausible"
        faithful = source.random.choice(["faithful"] * 4 + ["unfaithful"]) if is_asked else ""
        rows.append(
            PrecisionRow(
                study="made",
                dataset="data@1",
                audit=1,
                tier=row.tier,
                n_gold=n_of["gold"],
                n_silver=n_of["silver"],
                turn_id=row.turn_id,
                answer_id=row.answer_id,
                answer=row.answer.strip(),
                plausibility=plausible,
                faithfulness=faithful,
                holds=holds(row.tier, plausible, faithful),
                tier_now=row.tier,
                plausibility_comment="",
                faithfulness_comment="",
            )
        )
    return sorted(rows, key=lambda row: row.answer_id)
