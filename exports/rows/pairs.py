"""One row for each judgement of a pair of answers. Imports no models.

A judgement of a compared pair has two rows, one for each answer, and each follows from the other: preferred
and other, or tie twice. With both rows every comparison would count twice, and the labels preferred
and other would have equal shares. So only the rows of one answer of each item are taken, the same
for all annotators: that with the first answer_id, which depends on a hash of the text and not on
its place on the screen or its run.
"""

from collections.abc import Iterable

from annotation import schemes
from exports.rows.columns import JudgementRow

# Questions whose judgements have two rows, one for each answer of a pair.
PAIR_QUESTIONS = {name for name in schemes.names() if schemes.get(name).shows == schemes.Shows.PAIR}

# Schemes that ask how the two answers of a pair relate: one row for each judgement, about the first answer_id.
RELATIONS = {each.name for each in schemes.with_role(schemes.SchemeRole.RELATION)}


def rows_of_first_answer(rows: Iterable[JudgementRow]) -> list[JudgementRow]:
    """The rows, in their order; of pairs those of the first answer of their item.

    Example: of the answers a, b of item 1 and b, c of item 2 those are a of item 1 and b of item 2.
    """
    rows, first = list(rows), dict[str, str]()
    for row in rows:
        if row.question in PAIR_QUESTIONS:
            first[row.item_id] = min(row.answer_id, first.get(row.item_id, row.answer_id))
    return [row for row in rows if row.answer_id == first.get(row.item_id, row.answer_id)]
