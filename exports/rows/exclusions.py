"""The outcomes that answers would have if no item had been excluded. Imports no Django.

Excluded items are left out of every figure. To show whether that changes a result, an excluded item
gets the outcome that its counted judgements give by the rule of its batch
(`stats.aggregation.consensus`). The rule is applied to all items of the batch, as it may weigh
people by their other judgements. An adjudication before the exclusion is ignored. So `excluded`
becomes a label, `disputed` or `too_few_judgements`. An answer that becomes plausible has no
faithfulness verdict that counts: its faithfulness is `not_asked`.

Example: an excluded item with the counted votes plausible and plausible is plausible by the rule
unanimous. It is not implausible because it is excluded.
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


def answers_without_exclusions(
    answers: Iterable[AnswerRow], items: Sequence[ItemRow], judgements: Iterable[JudgementRow]
) -> list[AnswerRow]:
    """The answers, in their order, with the outcomes they would have if no item had been excluded."""
    outcomes = _outcomes_of_excluded(items, judgements)
    return [_with_outcome(row, outcomes) for row in answers]


def _with_outcome(row: AnswerRow, outcomes: Mapping[tuple[str, str], str]) -> AnswerRow:
    plausibility, faithfulness = row.plausibility, row.faithfulness
    if plausibility == EXCLUDED:
        plausibility = outcomes.get((schemes.ACCEPTANCE.name, row.answer_id), EXCLUDED)
        faithfulness = "not_asked" if plausibility == schemes.ACCEPTANCE.accepted else ""
    elif faithfulness == EXCLUDED:
        faithfulness = outcomes.get((schemes.GROUNDING.name, row.answer_id), EXCLUDED)
    else:
        return row
    return replace(
        row,
        plausibility=plausibility,
        faithfulness=faithfulness,
        tier=tier(plausibility, faithfulness),
    )


def _outcomes_of_excluded(
    items: Sequence[ItemRow], judgements: Iterable[JudgementRow]
) -> dict[tuple[str, str], str]:
    """The outcome of each excluded deciding item by its judgements, by scheme and answer id."""
    real = [item for item in items if not item.is_control]
    excluded = [
        item
        for item in real
        if item.is_excluded and item.is_newest and item.scheme in DECIDING_SCHEMES
    ]
    rules, votes = _rules(items), _votes(real, judgements)
    outcomes: dict[str, consensus.Outcome] = {}
    for batch, scheme in sorted({(item.batch, item.scheme) for item in excluded}):
        votes_of_batch = {item.item_id: votes[item.item_id] for item in real if item.batch == batch}
        rule = consensus.RULES[rules.get(batch, USUAL_RULE)]
        outcomes |= rule(votes_of_batch, labels=schemes.verdict_scheme(scheme).labels)
    return {(item.scheme, item.answer_id): _outcome(outcomes[item.item_id]) for item in excluded}


def _outcome(outcome: consensus.Outcome) -> str:
    return outcome.label or UNSETTLED[outcome.reason or consensus.TOO_FEW]


def _votes(
    items: Iterable[ItemRow], judgements: Iterable[JudgementRow]
) -> Mapping[str, dict[str, str]]:
    """The counted labels of these items, by item and annotator, of the question that decides the
    item.
    """
    votes: dict[str, dict[str, str]] = {item.item_id: {} for item in items}
    for row in judgements:
        if row.item_id in votes and row.counted and row.label and row.question == row.scheme:
            votes[row.item_id][row.annotator] = row.label
    return votes


def _rules(items: Iterable[ItemRow]) -> dict[str, str]:
    """The most frequent rule among the items of each batch; the first by name where two are equally
    frequent.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for item in items:
        if item.rule in consensus.RULES:
            counts[item.batch][item.rule] += 1
    return {
        batch: min(found, key=lambda rule: (-found[rule], rule)) for batch, found in counts.items()
    }
