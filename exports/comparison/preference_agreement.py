"""Of what rows agreement on a measure is computed, where that is not all of its rows. Plain Python.

`exports.agreement.figures` computes agreement on one question that was asked: on a scale (confidence, appropriate, faithful)
by the ordinal alpha, else (preference, relevant, supports, the flags) by the nominal one. It counts every row.

A judgement of preference has two rows, one for each answer, of which either follows from the other: preferred and
other, or tie twice. Counted both, every comparison would count twice, and every label but a tie have the share of
its contrary. So of each item only the rows of one answer are taken, the same for all its annotators: the one whose
answer_id, which is by the hash of its text, comes first. Which stood on the left, and whose it is, says nothing.
"""

from collections.abc import Sequence

from exports.rows.columns import JudgementRow


def of_one_answer(rows: Sequence[JudgementRow]) -> list[JudgementRow]:
    """Of the rows of preference those of one answer of each item, in their order.

    Right: a, b of item 1 and b, c of item 2 → a of item 1, b of item 2.
    """
    first: dict[str, str] = {}
    for row in rows:
        first[row.item_id] = min(first.get(row.item_id, row.answer_id), row.answer_id)
    return [row for row in rows if row.answer_id == first[row.item_id]]
