"""Scores of RAGAS: its rows are joined to answers by the id or the text of the question."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction

from accounts import permissions
from accounts.models import Role, User
from corpus.models import Answer, Dataset, Turn
from corpus.problems import ImportProblems, Problem, json_excerpt
from corpus.readers.base import TURN_NUMBER
from corpus.readers.ragas import RagasRow, RagasTable
from corpus.records import ScoreRecord, turn_id
from scoring.actions import score_imports
from scoring.actions.score_imports import ImportedScores


@dataclass(frozen=True)
class RagasImport:
    """What was imported of each metric that has values, and how many cells were empty."""

    metrics: Mapping[str, ImportedScores]
    n_empty: int


@transaction.atomic
def save(*, dataset: Dataset, table: RagasTable, scorer: str, run: str, by: User) -> RagasImport:
    """Attach the values of every metric to the answers that the rows are of. All or none.

    A row is of the turn in its column `id`, if that has its question, else of the one turn with its question, and of the run in its column
    `run`, else of `run`. Raises ImportProblems with every row that is of no answer, of several, or whose response is
    not what the run answered, and what score_imports.save raises.
    """
    permissions.require(by, dataset.study, Role.REQUESTER)
    _require_names(table, scorer)
    joined = _Join(dataset, table, run)
    records = joined.records()
    imported = {
        metric: score_imports.save(
            dataset=dataset,
            metric=metric,
            scorer=scorer,
            records=[
                ScoreRecord(turn, of_run, row.values[metric], row.index)
                for turn, of_run, row in records
                if metric in row.values
            ],
            file=table.file,
            by=by,
        )
        for metric in table.metrics
        if any(metric in row.values for row in table.rows)  # else a scorer of nothing
    }
    n_values = sum(len(row.values) for row in table.rows)
    return RagasImport(imported, len(table.rows) * len(table.metrics) - n_values)


def _require_names(table: RagasTable, scorer: str) -> None:
    """Raise ImportProblems with every column that cannot be the metric of such a scorer."""
    problems = []
    for metric in table.metrics:
        try:
            score_imports.require_names(metric, scorer)
        except ValidationError as error:
            said = " ".join(error.messages)
            problems.append(Problem(table.file, "row", 1, f"column {metric}", "", said))
    if problems:
        raise ImportProblems(problems)


class _Join:
    """The rows of a table joined to the answers of a data set."""

    def __init__(self, dataset: Dataset, table: RagasTable, run: str) -> None:
        self._table, self._run = table, run
        self._problems: list[Problem] = []
        self._wordings: dict[str, set[str]] = {}
        self._asking: dict[str, list[str]] = defaultdict(list)
        asked = Turn.objects.of(dataset).values_list(
            "conversation__key", "number", "question", "rewrite"
        )
        for conversation, number, *wordings in asked:
            turn = turn_id(conversation, number)
            self._wordings[turn] = {text.strip() for text in wordings if text.strip()}
            for text in self._wordings[turn]:
                self._asking[text].append(turn)
        names = {row.run or run for row in table.rows}
        answers = Answer.objects.of_all_systems(dataset).filter(run__name__in=names)
        rows = answers.values_list("turn__conversation__key", "turn__number", "run__name", "text")
        self._answers = {
            (turn_id(conversation, number), name): text.strip()
            for conversation, number, name, text in rows
        }
        self._runs = {name for _, name in self._answers}

    def records(self) -> list[tuple[str, str, RagasRow]]:
        """Return the rows with their turns and runs. Raises ImportProblems."""
        found = list(self._records())
        if self._problems:
            raise ImportProblems(self._problems)
        return found

    def _records(self) -> Iterator[tuple[str, str, RagasRow]]:
        first: dict[tuple[str, str], int] = {}
        unknown: set[str] = set()
        for row in self._table.rows:
            turn, run = self._turn(row), row.run or self._run
            if not turn or run in unknown:
                continue
            if run not in self._runs:
                unknown.add(run)  # said once, not of each of its rows
                self._problem(row, "run", *_unknown_run(run))
            elif (turn, run) not in self._answers:
                self._problem(row, "run", json_excerpt(run), f"has no answer to the turn {turn}")
            elif row.response.strip() != self._answers[turn, run]:
                message = f"is not what the run {run} answered to the turn {turn}"
                self._problem(row, "response", json_excerpt(row.response), message)
            elif (known := first.setdefault((turn, run), row.index)) != row.index:
                self._problem(row, "user_input", "", f"is the answer of row {known} again")
            else:
                yield turn, run, row

    def _turn(self, row: RagasRow) -> str:
        """Return the row's turn; "" if there is none or more than one, which is reported."""
        if row.key:
            return self._turn_by_id(row)
        turns = self._asking.get(row.question.strip(), [])
        if len(turns) == 1:
            return turns[0]
        message = (
            f"is the question of {len(turns)} turns: add a column id"
            if turns
            else "is no question of the data set"
        )
        self._problem(row, "user_input", json_excerpt(row.question), message)
        return ""

    def _turn_by_id(self, row: RagasRow) -> str:
        """Return the turn, or the first one of the question, that has the row's id; "" as above.

        q1_1 is the first turn of the question q1, and may be the id of another question: then the one asked counts.
        """
        named = [
            turn for turn in (row.key, turn_id(row.key, TURN_NUMBER)) if turn in self._wordings
        ]
        asked = row.question.strip()
        found = [turn for turn in named if not asked or asked in self._wordings[turn]]
        if len(found) == 1:
            return found[0]
        if not named:
            self._problem(row, "id", json_excerpt(row.key), "is no turn of the data set")
        elif found:
            message = f"may be the turn {found[0]} or {found[1]}"
            self._problem(row, "id", json_excerpt(row.key), message)
        else:
            message = f"is not the question of the turn {' or '.join(named)}"
            self._problem(row, "user_input", json_excerpt(row.question), message)
        return ""

    def _problem(self, row: RagasRow, field: str, value: str, message: str) -> None:
        self._problems.append(Problem(self._table.file, "row", row.index, field, value, message))


def _unknown_run(run: str) -> tuple[str, str]:
    """Return the value and what is wrong with it."""
    if not run:
        return "", "is not there: name the run that answered, or add a column run"
    return json_excerpt(run), "is no run of the data set that has answers"
