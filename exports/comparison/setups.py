"""The setups of a comparison: a pool each. Imports neither Django nor numpy, as pages load it."""

from collections.abc import Sequence

from exports.comparison.columns import AnswerRow, BatchRow
from exports.rows.columns import JudgementRow

SETUPS = ("gold", "retrieved")


def setups(
    batches: Sequence[BatchRow], judgements: Sequence[JudgementRow], answers: Sequence[AnswerRow]
) -> list[tuple[list[BatchRow], list[JudgementRow], list[AnswerRow]]]:
    """The rows of each setup: gold passages first, then retrieved ones, then by the name of the
    pool.
    """
    found = []
    for pool in sorted({(_rank(row.setup), row.pool) for row in batches}):
        own = [row for row in batches if row.pool == pool[1]]
        names = {row.batch for row in own}
        found.append(
            (
                own,
                [row for row in judgements if row.batch in names],
                [row for row in answers if row.pool == pool[1]],
            )
        )
    return found


def _rank(setup: str) -> int:
    return SETUPS.index(setup) if setup in SETUPS else len(SETUPS)
