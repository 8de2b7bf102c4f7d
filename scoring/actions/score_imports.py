"""Import scores that were computed elsewhere."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.core.exceptions import ValidationError
from django.db import connection, transaction

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.models import Role, Study, User
from audit import events
from corpus.models import Answer, Dataset
from corpus.problems import ImportProblems, Problem
from corpus.queries import turn_ids
from corpus.readers import scores as reader
from corpus.records import ScoreRecord
from corpus.score_table import ScoreTable
from scoring.models import ImportedScore, Scorer
from scoring.registry import MEASURES
from scoring.thresholds import DEFAULT_SCORER

VERSION = "imported"
INSERT = "INSERT INTO scoring_importedscore (scorer_id, answer_id, value) VALUES (%s, %s, %s)"


class ScoresChangedError(Exception):
    """The scorer has other values already; the message says where they differ."""


@dataclass(frozen=True)
class ImportedScores:
    scorer: str
    n_new: int
    n_unchanged: int
    n_left_out: int


def read(path: Path, *, metric: str) -> ScoreTable:
    """The scores of a file. Raises ImportProblems with every problem of the file."""
    return reader.read_table(path, metric=metric)


def save(
    *,
    dataset: Dataset,
    metric: str,
    scorer: str,
    records: Iterable[ScoreRecord],
    file: str,
    by: User,
    leave_out_unknown: bool = False,
) -> ImportedScores:
    """Attach scores to answers. Importing equal values again changes nothing.

    Raises ScoresChangedError if an answer has another value by this scorer, ImportProblems if scores name
    unknown runs or turns (unless `leave_out_unknown`), and ValidationError if the scorer's name is invalid.
    """
    permissions.require(by, dataset.study, Role.REQUESTER)
    table = records if isinstance(records, ScoreTable) else ScoreTable(records)
    turns = turn_ids(dataset)
    unknown = [
        record
        for run, of_run in table.of_runs()
        for known in [_answer_ids(dataset, run, turns)]
        for record in of_run
        if record.turn_id not in known
    ]
    if unknown and not leave_out_unknown:
        raise ImportProblems(
            Problem(
                file,
                "row",
                record.index,
                "id",
                f"{record.turn_id} of the run {record.run}",
                "has no answer",
            )
            for record in unknown
        )
    return _write(dataset, metric, scorer, table, turns, by, n_left_out=len(unknown))


@transaction.atomic
def _write(
    dataset: Dataset,
    metric: str,
    name: str,
    table: ScoreTable,
    turns: Mapping[str, int],
    by: User,
    *,
    n_left_out: int,
) -> ImportedScores:
    """Write the scores run by run, so that only one run's are held as rows."""
    lock_study(dataset.study)
    scorer = _scorer(dataset.study, metric, name)
    n_new = n_other = 0
    for run, records in table.of_runs():
        answers = _answer_ids(dataset, run, turns)
        values = {answers[each.turn_id]: each.value for each in records if each.turn_id in answers}
        stored = dict(
            ImportedScore.objects.filter(
                scorer=scorer, answer__run__dataset=dataset, answer__run__name=run
            ).values_list("answer_id", "value")
        )
        n_other += sum(pk in stored and stored[pk] != value for pk, value in values.items())
        new = [(scorer.pk, pk, value) for pk, value in values.items() if pk not in stored]
        n_new += len(new)
        with connection.cursor() as cursor:
            cursor.executemany(INSERT, new)
    if n_other:
        raise ScoresChangedError(
            f"the scorer {name} has other values for {n_other} of these answers:"
            " import the file under another scorer name"
        )
    n_unchanged = len(table) - n_left_out - n_new
    imported = ImportedScores(scorer.short, n_new, n_unchanged, n_left_out)
    if n_new:
        events.record(
            study=dataset.study,
            by=by,
            verb="imported scores",
            target=dataset,
            scorer=name,
            metric=metric,
            n_scores=n_new,
        )
    return imported


def _scorer(study: Study, metric: str, name: str) -> Scorer:
    """Get or create the study's scorer of that name. Raises ValidationError."""
    fields = {"study": study, "metric": metric, "name": name, "version": VERSION}
    scorer = Scorer.objects.filter(**fields).first()
    if scorer is None:
        require_names(metric, name)
        scorer = Scorer(**fields)
        scorer.full_clean(exclude=["identity", "study"])
        scorer.save()
    return scorer


def require_names(metric: str, name: str) -> None:
    """Raise ValidationError if a scorer of this metric cannot have this name, or a metric this one."""
    Scorer(metric=metric, name=name, version=VERSION).clean_fields(exclude=["identity", "study"])
    _require_own_name(metric, name)


def _require_own_name(metric: str, name: str) -> None:
    """Refuse the name of a scorer that this program computes: both would have one name."""
    computed = MEASURES[metric].scorer if metric in MEASURES else DEFAULT_SCORER
    if name == computed:
        raise ValidationError(
            f"{name} is what scores computed here are called: import these under another name,"
            f" such as {name}-imported"
        )


def _answer_ids(dataset: Dataset, run: str, turns: Mapping[str, int]) -> dict[str, int]:
    """Return the primary keys of a run's answers by turn, without the texts."""
    answers = Answer.objects.of_all_systems(dataset).filter(run__name=run).order_by()
    by_turn = dict(answers.values_list("turn_id", "pk"))
    return {key: by_turn[turn] for key, turn in turns.items() if turn in by_turn}
