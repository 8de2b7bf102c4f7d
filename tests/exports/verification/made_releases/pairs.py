"""The pairs of accepted answers of made releases, and what people said of them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from exports.rows.columns import AnswerRow, ItemRow, JudgementRow
from tests.exports.verification.made_releases.judged import batch
from tests.exports.verification.made_releases.source import Source


def pairs_of(
    source: Source, answers: Sequence[AnswerRow], names: Mapping[str, str]
) -> tuple[list[ItemRow], list[JudgementRow], dict[str, str]]:
    """The rows of items about pairs of accepted answers, two each, their judgements, and what was shown first."""
    of_turn: dict[str, dict[str, AnswerRow]] = defaultdict(dict)
    for row in answers:
        if row.tier:
            of_turn[row.turn_id].setdefault(row.answer_id, row)
    pairs = [
        pair
        for of in of_turn.values()
        for pair in list(combinations([of[k] for k in sorted(of)], 2))[:4]
    ]
    asked = [(first, names[first.answer_id], "") for first, _ in pairs]
    items, judgements = batch(source, "relation", asked)
    seconds = [second for _, second in pairs] + [second for _, second in pairs[:3]]  # of controls
    shown_first, twins, places = {}, [], {}
    for item, second in zip(items, seconds, strict=True):
        is_first = source.random.random() < 0.5
        places[item.item_id] = 1 if is_first else 2
        shown_first[item.item_id] = item.answer_id if is_first else second.answer_id
        text, runs = second.answer.strip(), names[second.answer_id]
        twins.append(replace(item, answer_id=second.answer_id, answer=text, runs=runs))
    placed = [replace(row, position=places[row.item_id]) for row in judgements]
    return [*items, *twins], placed, shown_first
