"""Deletion of what nothing uses. The history keeps that it was there, with its name and id."""

from collections.abc import Callable, Iterable
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.errors import ActionError
from accounts.models import Role, Study, User
from audit import events
from corpus.models import (
    Answer,
    Citation,
    Conversation,
    Dataset,
    Offer,
    Passage,
    Run,
    RunKind,
    Turn,
)
from exports.deletions import uses
from jobs.transactions import delete_in_pieces
from sampling.models import AnswerPair, Candidate, EvidenceSpan, Fate, Pool, PoolPassage
from scoring.models import Scorer


class DeletionError(ActionError):
    """It cannot be deleted; the message says what uses it."""


def delete_pool(*, pool: Pool, by: User) -> None:
    """Delete a pool, an audit sample or a comparison. Raises DeletionError if something uses it."""
    _delete(pool, pool.study, uses.of_pool, _delete_pool_rows, by)


def delete_run(*, run: Run, by: User) -> None:
    """Delete a run with its answers.

    Raises DeletionError if something was drawn from them, people brought scores of them, or a release
    names the run; and for references, which belong to the data set.
    """
    if run.kind == RunKind.REFERENCE:
        raise DeletionError(f"{run} are references: they belong to the data set")
    _delete(run, run.dataset.study, uses.of_run, _delete_run_rows, by, dataset=str(run.dataset))


def delete_dataset(*, dataset: Dataset, by: User) -> None:
    """Delete a version of a data set with its references. Raises DeletionError if something uses it."""
    digest = dataset.digest
    _delete(dataset, dataset.study, uses.of_dataset, _delete_dataset_rows, by, digest=digest)


def delete_study(*, study: Study, by: User) -> None:
    """Delete a study without data sets, with its members, invitations, guidelines with the questions on them, and
    finished jobs.

    Its short name stays taken, because its history goes by it. Raises DeletionError if it has a data set or
    a job is at work.
    """
    permissions.require(by, study, Role.REQUESTER)
    try:
        with transaction.atomic():
            locked = _locked(study)
            if found := uses.of_study(locked):
                raise DeletionError(f"{study} is not empty. {' '.join(found)}".removesuffix("."))
            # Outside the studies: nobody can read the history of a study that is gone.
            events.record(study=None, by=by, verb="deleted", target=locked, id=locked.pk)
            _delete_study_rows(locked)
            locked.delete()
    except (ProtectedError, IntegrityError) as error:
        raise DeletionError(f"{study} is not empty: something refers to it") from error


def _delete(
    thing: Any,
    study: Study,
    uses_of: Callable[[Any], Iterable[str]],
    delete_rows: Callable[[Any], None],
    by: User,
    **details: Any,
) -> None:
    """Look for uses and delete in one transaction.

    Who uses things holds the study, and the database refuses what was overlooked: a row that refers to
    the thing waits for its lock, and then for nothing that it could refer to.
    """
    permissions.require(by, study, Role.REQUESTER)
    try:
        with transaction.atomic():
            lock_study(study)
            locked = _locked(thing)
            if found := list(uses_of(locked)):
                raise DeletionError(f"{thing} is in use. {' '.join(found)}".removesuffix("."))
            events.record(study=study, by=by, verb="deleted", target=locked, id=thing.pk, **details)
            for row in locked.withdrawals.order_by("-pk"):  # each names the one before it
                row.delete()
            delete_rows(locked)
            locked.delete()
    except (ProtectedError, IntegrityError) as error:
        raise DeletionError(f"{thing} is in use: something refers to it") from error


def _locked(thing: Any) -> Any:
    locked = type(thing)._default_manager.select_for_update().filter(pk=thing.pk).first()
    if locked is None:
        raise DeletionError(f"{thing} was deleted already")
    return locked


def _delete_pool_rows(pool: Pool) -> None:
    for rows in (EvidenceSpan, Fate, PoolPassage, AnswerPair, Candidate):
        delete_in_pieces(rows._default_manager.filter(pool=pool))


def _delete_run_rows(run: Run) -> None:
    run.changes.all().delete()
    delete_in_pieces(Citation.objects.filter(answer__run=run))
    delete_in_pieces(Answer.objects.filter(run=run))


def _delete_dataset_rows(dataset: Dataset) -> None:
    for run in Run.objects.filter(dataset=dataset):  # its references: it has no other run
        _delete_run_rows(run)
        run.delete()
    delete_in_pieces(Offer.objects.filter(turn__conversation__dataset=dataset))
    delete_in_pieces(Turn.objects.filter(conversation__dataset=dataset))
    delete_in_pieces(Conversation.objects.filter(dataset=dataset))
    delete_in_pieces(Passage.objects.filter(dataset=dataset))


def _delete_study_rows(study: Study) -> None:
    """Delete what does not go with the study by itself."""
    study.batch_presets.all().delete()
    study.guidelines.all().delete()
    study.checks.all().delete()
    Scorer.objects.filter(study=study).delete()
