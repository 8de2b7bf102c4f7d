"""The rows of preference that agreement is computed from. Imports no Django.

`exports.agreement.figures` computes agreement on one question: ordinal alpha on a scale
(confidence, appropriate, faithful), else nominal alpha (preference, relevant, supports, the flags).
It counts every row.

A judgement of preference has two rows, one for each answer, and each follows from the other:
preferred and other, or tie twice. With both rows every comparison would count twice, and the labels
preferred and other would have equal shares. So only the rows of one answer of each item are taken,
the same for all annotators: that with the first answer_id, which depends on a hash of the text and
not on its place on the screen or its run.
"""

from collections.abc import Sequence

from exports.rows.columns import JudgementRow


def rows_of_one_answer(rows: Sequence[JudgementRow]) -> list[JudgementRow]:
    """The rows of preference that are of the first answer of their item, in their order.

    Example: of the answers a, b of item 1 and b, c of item 2 those are a of item 1 and b of item 2.
    """
    first: dict[str, str] = {}
    for row in rows:
        first[row.item_id] = min(first.get(row.item_id, row.answer_id), row.answer_id)
    return [row for row in rows if row.answer_id == first[row.item_id]]
