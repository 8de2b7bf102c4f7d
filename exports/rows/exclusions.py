"""The answers once more, with excluded items taken as they were judged. Plain Python.

An excluded item is left out of every figure. Whether that changed the result is seen by taking it in again:
it ends as the counted judgements that it has would make it end by the rule that its batch was settled with
(`stats.aggregation.consensus`), looked at among all items of the batch, as if nothing had been excluded: a rule may
weigh people by what they said elsewhere. An adjudication before the exclusion is not asked. So an answer that is `excluded`
becomes a label, or `disputed` or `too_few_judgements`. An answer that becomes plausible was not asked about
by evidence, or its verdict does not stand: its faithfulness is then `not_asked`.

Right: excluded with the counted votes plausible, plausible, under unanimous → plausible. Wrong: an answer
whose item was excluded is implausible.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from annotation import schemes
from exports.rows.columns import AnswerRow, ItemRow, JudgementRow
from exports.rows.tiers import tier
from stats.aggregation import consensus

EXCLUDED = "excluded"
USUAL_RULE = "unanimous"
# The schemes on which the end of an answer depends; those of other labels may have no verdict.
DECIDING_SCHEMES = (schemes.ACCEPTANCE.name, schemes.GROUNDING.name)
UNSETTLED = {
    consensus.TOO_FEW: "too_few_judgements",
    consensus.DISAGREEMENT: "disputed",
    consensus.UNCERTAIN: "disputed",
}


def taken_in(
    answers: Iterable[AnswerRow], items: Sequence[ItemRow], judgements: Iterable[JudgementRow]
) -> list[AnswerRow]:
    """The answers in their order, those of excluded items as they were judged."""
    ended = _ended(items, judgements)
    return [_with_ending(row, ended) for row in answers]


def _with_ending(row: AnswerRow, ended: Mapping[tuple[str, str], str]) -> AnswerRow:
    plausibility, faithfulness = row.plausibility, row.faithfulness
    if plausibility == EXCLUDED:
        plausibility = ended.get((schemes.ACCEPTANCE.name, row.answer_id), EXCLUDED)
        faithfulness = "not_asked" if plausibility == schemes.ACCEPTANCE.accepted else ""
    elif faithfulness == EXCLUDED:
        faithfulness = ended.get((schemes.GROUNDING.name, row.answer_id), EXCLUDED)
    return replace(
        row,
        plausibility=plausibility,
        faithfulness=faithfulness,
        tier=tier(plausibility, faithfulness),
    )


def _ended(
    items: Sequence[ItemRow], judgements: Iterable[JudgementRow]
) -> dict[tuple[str, str], str]:
    """How each excluded item that has the say would have ended, by scheme and answer."""
    real = [item for item in items if not item.is_control]
    asked = [
        item
        for item in real
        if item.is_excluded and item.is_newest and item.scheme in DECIDING_SCHEMES
    ]
    rules, votes = _rules(items), _votes(real, judgements)
    outcomes: dict[str, consensus.Outcome] = {}
    for batch, scheme in sorted({(item.batch, item.scheme) for item in asked}):
        of_batch = {item.item_id: votes[item.item_id] for item in real if item.batch == batch}
        rule = consensus.RULES[rules.get(batch, USUAL_RULE)]
        outcomes |= rule(of_batch, labels=schemes.verdict_scheme(scheme).labels)
    return {(item.scheme, item.answer_id): _ending(outcomes[item.item_id]) for item in asked}


def _ending(outcome: consensus.Outcome) -> str:
    return outcome.label or UNSETTLED[outcome.reason or consensus.TOO_FEW]


def _votes(
    items: Iterable[ItemRow], judgements: Iterable[JudgementRow]
) -> Mapping[str, dict[str, str]]:
    """What was counted of each of these items, of the question that consensus is sought on."""
    votes: dict[str, dict[str, str]] = {item.item_id: {} for item in items}
    for row in judgements:
        if row.item_id in votes and row.counted and row.label and row.question == row.scheme:
            votes[row.item_id][row.annotator] = row.label
    return votes


def _rules(items: Iterable[ItemRow]) -> dict[str, str]:
    """The rule that most items of each batch were settled with; of equally many, the first by name."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for item in items:
        if item.rule in consensus.RULES:
            counts[item.batch][item.rule] += 1
    return {
        batch: min(found, key=lambda rule: (-found[rule], rule)) for batch, found in counts.items()
    }
