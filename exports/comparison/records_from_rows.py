"""The judgements of a setup as the records that its figures are computed from. Imports no Django.

Only rows of judgements.csv that are `counted` and not of a control item have records. The rows with
the same assignment_id and submitted_at are one submission. An answer is credited to each run in
`runs`: a rating has a record for each run, a comparison for each pair of a run on the left with a
run on the right.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from annotation.schemes.preference import SCHEME as PREFERENCE
from exports.comparison.columns import AnswerRow, BatchRow
from exports.rows.columns import JudgementRow
from stats.pairwise.records import PassageJudgement, Preference, Rating, Side, SupportJudgement

# The questions of a rating.
ANSWER_QUESTIONS = ("faithful", "appropriate", "unknown", "incoherent")


@dataclass(frozen=True)
class Rows:
    """The tables that the figures are computed from."""

    batches: list[BatchRow]
    judgements: list[JudgementRow]
    answers: list[AnswerRow]


@dataclass(frozen=True)
class Records:
    ratings: list[Rating]
    comparisons: list[Preference]
    passage_judgements: list[PassageJudgement]
    support_judgements: list[SupportJudgement]


def counted_rows(rows: Iterable[JudgementRow]) -> list[JudgementRow]:
    return [row for row in rows if row.counted and not row.is_control]


def records(rows: Iterable[JudgementRow], unanswerable: Collection[str]) -> Records:
    """The records of a setup's rows. `unanswerable` has the ids of turns. The order of rows does
    not matter.
    """
    submissions: defaultdict[str, list[JudgementRow]] = defaultdict(list)
    for row in counted_rows(rows):
        submissions[submission_id(row)].append(row)
    found = Records([], [], [], [])
    for name, submission in sorted(submissions.items()):
        found.ratings.extend(_ratings(submission, unanswerable))
        found.comparisons.extend(_comparisons(name, submission))
        found.passage_judgements.extend(_passage_judgements(submission))
        found.support_judgements.extend(_support_judgements(submission))
    return found


def submission_id(row: JudgementRow) -> str:
    return f"{row.assignment_id} {row.submitted_at}"


def credited_runs(row: JudgementRow) -> list[str]:
    return row.runs.split("|") if row.runs else []


def _ratings(rows: Sequence[JudgementRow], unanswerable: Collection[str]) -> Iterable[Rating]:
    of_answer: defaultdict[str, dict[str, JudgementRow]] = defaultdict(dict)
    for row in rows:
        if row.question in ANSWER_QUESTIONS:
            of_answer[row.answer_id][row.question] = row
    for answer, by_question in sorted(of_answer.items()):
        answer_row = next(iter(by_question.values()))
        for run in credited_runs(answer_row):
            yield Rating(
                question=answer_row.turn_id,
                run=run,
                answer=answer,
                annotator=answer_row.annotator,
                faithful=_value(by_question, "faithful"),
                appropriate=_value(by_question, "appropriate"),
                unknown=_is_yes(by_question, "unknown"),
                incoherent=_is_yes(by_question, "incoherent"),
                is_answerable=answer_row.turn_id not in unanswerable,
            )


def _value(by_question: Mapping[str, JudgementRow], question: str) -> float | None:
    return by_question[question].value if question in by_question else None


def _is_yes(by_question: Mapping[str, JudgementRow], question: str) -> bool:
    return question in by_question and by_question[question].label == "yes"


def _comparisons(judgement: str, rows: Sequence[JudgementRow]) -> Iterable[Preference]:
    sides = sorted(
        (row for row in rows if row.question == PREFERENCE.name), key=lambda row: row.position or 0
    )
    if not sides:
        return
    left, right = sides
    preferred: Side = "tie"
    if left.label != "tie":
        preferred = "left" if left.label == "preferred" else "right"
    for one, other in product(credited_runs(left), credited_runs(right)):
        yield Preference(left.turn_id, judgement, left.annotator, one, other, preferred)


def _passage_judgements(rows: Sequence[JudgementRow]) -> Iterable[PassageJudgement]:
    for row in rows:
        if row.question == "relevant":
            yield PassageJudgement(
                row.turn_id, row.passage_id, row.annotator, row.label == "relevant"
            )


def _support_judgements(rows: Sequence[JudgementRow]) -> Iterable[SupportJudgement]:
    for row in rows:
        if row.question == "supports":
            for run in credited_runs(row):
                yield SupportJudgement(
                    row.turn_id,
                    run,
                    row.answer_id,
                    row.passage_id,
                    row.annotator,
                    row.label == "yes",
                )
