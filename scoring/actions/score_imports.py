"""Import scores that were computed elsewhere."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from django.core.exceptions import ValidationError
from django.db import transaction

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.models import Role, Study, User
from audit import events
from corpus.models import Answer, Dataset
from corpus.problems import ImportProblems, Problem
from corpus.queries import turn_ids
from corpus.readers import scores as reader
from corpus.records import ScoreRecord
from scoring.models import ImportedScore, Scorer
from scoring.registry import MEASURES
from scoring.thresholds import DEFAULT_SCORER

VERSION = "imported"


class ScoresChangedError(Exception):
    """The scorer has other values already; the message says where they differ."""


@dataclass(frozen=True)
class ImportedScores:
    scorer: str
    n_new: int
    n_unchanged: int
    n_left_out: int


def read(path: Path, *, metric: str) -> tuple[ScoreRecord, ...]:
    """Read the scores. Raises ImportProblems with every problem of the file."""
    return reader.read(path, metric=metric)


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
    records = list(records)
    answers = _answer_ids(dataset)
    known = [record for record in records if (record.run, record.turn_id) in answers]
    if len(known) < len(records) and not leave_out_unknown:
        raise ImportProblems(
            Problem(
                file,
                "row",
                record.index,
                "id",
                f"{record.turn_id} of the run {record.run}",
                "has no answer",
            )
            for record in records
            if (record.run, record.turn_id) not in answers
        )
    values = {answers[record.run, record.turn_id]: record.value for record in known}
    return _write(dataset, metric, scorer, values, by, n_left_out=len(records) - len(known))


@transaction.atomic
def _write(
    dataset: Dataset, metric: str, name: str, values: dict[int, float], by: User, *, n_left_out: int
) -> ImportedScores:
    lock_study(dataset.study)
    scorer = _scorer(dataset.study, metric, name)
    stored = dict(
        ImportedScore.objects.filter(scorer=scorer, answer__run__dataset=dataset).values_list(
            "answer_id", "value"
        )
    )
    other = [pk for pk, value in values.items() if pk in stored and stored[pk] != value]
    if other:
        raise ScoresChangedError(
            f"the scorer {name} has other values for {len(other)} of these answers:"
            " import the file under another scorer name"
        )
    new = {pk: value for pk, value in values.items() if pk not in stored}
    ImportedScore.objects.bulk_create(
        ImportedScore(scorer=scorer, answer_id=pk, value=value) for pk, value in new.items()
    )
    imported = ImportedScores(scorer.short, len(new), len(values) - len(new), n_left_out)
    if new:
        events.record(
            study=dataset.study,
            by=by,
            verb="imported scores",
            target=dataset,
            scorer=name,
            metric=metric,
            n_scores=len(new),
        )
    return imported


def _scorer(study: Study, metric: str, name: str) -> Scorer:
    """Get or create the study's scorer of that name. Raises ValidationError."""
    fields = {"study": study, "metric": metric, "name": name, "version": VERSION}
    scorer = Scorer.objects.filter(**fields).first()
    if scorer is None:
        _require_own_name(metric, name)
        scorer = Scorer(**fields)
        scorer.full_clean(exclude=["identity", "study"])
        scorer.save()
    return scorer


def _require_own_name(metric: str, name: str) -> None:
    """Refuse the name of a scorer that this program computes: both would have one name."""
    computed = MEASURES[metric].scorer if metric in MEASURES else DEFAULT_SCORER
    if name == computed:
        raise ValidationError(
            f"{name} is what scores computed here are called: import these under another name,"
            f" such as {name}-imported"
        )


def _answer_ids(dataset: Dataset) -> dict[tuple[str, str], int]:
    turns = {pk: key for key, pk in turn_ids(dataset).items()}
    # Without the texts, which may be a million.
    answers = Answer.objects.of_all_systems(dataset).values_list("pk", "run__name", "turn_id")
    return {(run, turns[turn_id]): pk for pk, run, turn_id in answers}
