"""The judgements of a setup as the records that its figures are computed from. Plain Python.

Of judgements.csv only rows count that are `counted` and of no control item. One submission is the rows with one
assignment_id and submitted_at. An answer, or a side of a comparison, is credited to each run in `runs`: one record
for each run, for each pair of a run on the left with a run on the right.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from annotation.schemes.preference import SCHEME as PREFERENCE
from exports.comparison.columns import AnswerRow, BatchRow
from exports.rows.columns import JudgementRow
from stats.pairwise.records import PassageJudgement, Preference, Rating, Side, SupportJudgement

# questions that are asked of an answer in a rating
OF_AN_ANSWER = ("faithful", "appropriate", "unknown", "incoherent")


@dataclass(frozen=True)
class Rows:
    """The tables that everything is computed from."""

    batches: list[BatchRow]
    judgements: list[JudgementRow]
    answers: list[AnswerRow]


@dataclass(frozen=True)
class Taken:
    rated: list[Rating]
    compared: list[Preference]
    said: list[PassageJudgement]
    supported: list[SupportJudgement]


def counted(rows: Iterable[JudgementRow]) -> list[JudgementRow]:
    return [row for row in rows if row.counted and not row.is_control]


def taken(rows: Iterable[JudgementRow], unanswerable: Collection[str]) -> Taken:
    """Of rows of one setup; `unanswerable` are questions (turns). The order of the rows changes nothing."""
    submissions: defaultdict[str, list[JudgementRow]] = defaultdict(list)
    for row in counted(rows):
        submissions[submission(row)].append(row)
    found = Taken([], [], [], [])
    for name, of_one in sorted(submissions.items()):
        found.rated.extend(_rated(of_one, unanswerable))
        found.compared.extend(_compared(name, of_one))
        found.said.extend(_said(of_one))
        found.supported.extend(_supported(of_one))
    return found


def submission(row: JudgementRow) -> str:
    return f"{row.assignment_id} {row.submitted_at}"


def credited(row: JudgementRow) -> list[str]:
    return row.runs.split("|") if row.runs else []


def _rated(rows: Sequence[JudgementRow], unanswerable: Collection[str]) -> Iterable[Rating]:
    of_answer: defaultdict[str, dict[str, JudgementRow]] = defaultdict(dict)
    for row in rows:
        if row.question in OF_AN_ANSWER:
            of_answer[row.answer_id][row.question] = row
    for answer, asked in sorted(of_answer.items()):
        one = next(iter(asked.values()))
        for run in credited(one):
            yield Rating(
                question=one.turn_id,
                run=run,
                answer=answer,
                annotator=one.annotator,
                faithful=_value(asked, "faithful"),
                appropriate=_value(asked, "appropriate"),
                unknown=_is_said(asked, "unknown"),
                incoherent=_is_said(asked, "incoherent"),
                is_answerable=one.turn_id not in unanswerable,
            )


def _value(asked: Mapping[str, JudgementRow], question: str) -> float | None:
    return asked[question].value if question in asked else None


def _is_said(asked: Mapping[str, JudgementRow], question: str) -> bool:
    return question in asked and asked[question].label == "yes"


def _compared(judgement: str, rows: Sequence[JudgementRow]) -> Iterable[Preference]:
    sides = sorted(
        (row for row in rows if row.question == PREFERENCE.name), key=lambda row: row.position or 0
    )
    if not sides:
        return
    left, right = sides
    said: Side = "tie"
    if left.label != "tie":
        said = "left" if left.label == "preferred" else "right"
    for one, other in product(credited(left), credited(right)):
        yield Preference(left.turn_id, judgement, left.annotator, one, other, said)


def _said(rows: Sequence[JudgementRow]) -> Iterable[PassageJudgement]:
    for row in rows:
        if row.question == "relevant":
            yield PassageJudgement(
                row.turn_id, row.passage_id, row.annotator, row.label == "relevant"
            )


def _supported(rows: Sequence[JudgementRow]) -> Iterable[SupportJudgement]:
    for row in rows:
        if row.question == "supports":
            for run in credited(row):
                yield SupportJudgement(
                    row.turn_id,
                    run,
                    row.answer_id,
                    row.passage_id,
                    row.annotator,
                    row.label == "yes",
                )
