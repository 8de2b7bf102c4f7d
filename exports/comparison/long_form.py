"""Ratings and preferences in long form, for mixed models. Imports no Django.

The rows are made from batches.csv, judgements.csv and answers.csv, of the judgements that figures are
computed from. An answer that several runs gave has a row for each of them, as it counts for each.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from annotation.schemes.preference import SCHEME as PREFERENCE
from exports.comparison.columns import AnswerRow, LongPreferenceRow, LongRatingRow
from exports.comparison.records_from_rows import (
    Rows,
    counted_rows,
    credited_runs,
    submission_id,
)
from exports.comparison.setups import setups
from exports.rows.columns import JudgementRow
from exports.rows.ids import conversation
from exports.rows.per_run import KINDS

SCALES = ("faithful", "appropriate")


def rating_rows(rows: Rows) -> Iterator[LongRatingRow]:
    """The ratings, sorted by setup, measure, run, turn, annotator and submission."""
    for batches, judgements, answers in setups(rows.batches, rows.judgements, rows.answers):
        order = _order_of_runs(answers)
        answerable = {row.turn_id for row in answers if row.is_answerable}
        found = [
            LongRatingRow(
                pool=batches[0].pool,
                setup=batches[0].setup,
                measure=row.question,
                run=run,
                turn_id=row.turn_id,
                conversation=conversation(row.turn_id).removesuffix("_"),
                is_answerable=row.turn_id in answerable,
                item_id=row.item_id,
                answer_id=row.answer_id,
                annotator=row.annotator,
                submission=submission_id(row),
                value=int(row.value),
            )
            for row in counted_rows(judgements)
            if row.question in SCALES and row.value is not None
            for run in credited_runs(row)
            if run in order
        ]
        yield from sorted(
            found,
            key=lambda each: (
                SCALES.index(each.measure),
                order[each.run],
                each.turn_id,
                each.annotator,
                each.submission,
                each.answer_id,
            ),
        )


def preference_rows(rows: Rows) -> Iterator[LongPreferenceRow]:
    """The comparisons of two runs, sorted by setup, runs, turn, annotator and submission."""
    for batches, judgements, answers in setups(rows.batches, rows.judgements, rows.answers):
        order = _order_of_runs(answers)
        found = [
            _preference_row(batches[0].pool, batches[0].setup, left, right, runs, order)
            for left, right in _sides(judgements)
            for runs in product(credited_runs(left), credited_runs(right))
            if set(runs) <= order.keys()
        ]
        yield from sorted(
            found,
            key=lambda each: (
                order[each.one],
                order[each.other],
                each.turn_id,
                each.annotator,
                each.submission,
            ),
        )


def _order_of_runs(answers: Iterable[AnswerRow]) -> dict[str, int]:
    """The places of the runs in the order of pairs.csv: by kind, then by name."""
    kinds = {row.run: row.kind for row in answers}
    ordered = sorted(kinds, key=lambda run: (KINDS.index(kinds[run]), run))
    return {run: place for place, run in enumerate(ordered)}


def _sides(judgements: Sequence[JudgementRow]) -> Iterator[tuple[JudgementRow, JudgementRow]]:
    """The rows on the left and on the right of each comparison."""
    submissions: defaultdict[str, list[JudgementRow]] = defaultdict(list)
    for row in counted_rows(judgements):
        if row.question == PREFERENCE.name:
            submissions[submission_id(row)].append(row)
    for rows in submissions.values():
        left, right = sorted(rows, key=lambda row: row.position or 0)
        yield left, right


def _preference_row(
    pool: str,
    setup: str,
    left: JudgementRow,
    right: JudgementRow,
    runs: tuple[str, str],
    order: Mapping[str, int],
) -> LongPreferenceRow:
    one_is_left = order[runs[0]] < order[runs[1]]
    one, other = runs if one_is_left else runs[::-1]
    row_of_one, row_of_other = (left, right) if one_is_left else (right, left)
    return LongPreferenceRow(
        pool=pool,
        setup=setup,
        one=one,
        other=other,
        turn_id=left.turn_id,
        conversation=conversation(left.turn_id).removesuffix("_"),
        item_id=left.item_id,
        answer_id_of_one=row_of_one.answer_id,
        answer_id_of_other=row_of_other.answer_id,
        annotator=left.annotator,
        submission=submission_id(left),
        one_is_left=one_is_left,
        value=(row_of_one.label == "preferred") - (row_of_other.label == "preferred"),
    )
