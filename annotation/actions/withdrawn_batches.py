"""Withdrawal of a batch, and its return."""

from django.db import transaction

from accounts import permissions
from accounts.actions import withdrawals
from accounts.actions.locks import lock_study
from accounts.actions.withdrawals import WithdrawalError
from accounts.models import Role, User
from annotation.actions import batches, locks
from annotation.models import Batch, BatchState
from annotation.queries import second_rounds
from sampling.models import Pool


@transaction.atomic
def withdraw(*, batch: Batch, reason: str, by: User) -> Batch:
    """Let the batch count nowhere from now on. A batch at work is closed first.

    Judgements stay, and stay payable; open claims can still be submitted until they expire. Raises
    WithdrawalError for a draft, which is discarded, and for a batch that is withdrawn.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    locked = locks.locked_batch(batch.pk)
    if locked.state == BatchState.DRAFT:
        raise WithdrawalError(f"the batch {locked.name} is a draft: discard it")
    if locked.state != BatchState.CLOSED:
        locked = batches.close(batch=locked, by=by)
    withdrawals.withdraw(thing=locked, study=batch.study, reason=reason, by=by)
    return locks.locked_batch(batch.pk)


@transaction.atomic
def bring_back(*, batch: Batch, reason: str, by: User) -> Batch:
    """Let a withdrawn batch count again. It is closed, and can be opened again.

    Raises WithdrawalError, also while its pool is withdrawn; of a second round, while its first round is, or there is another.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    lock_study(batch.study)  # its pool is withdrawn under it
    if objection := return_objection(batch):
        raise WithdrawalError(objection)
    withdrawals.bring_back(thing=batch, study=batch.study, reason=reason, by=by)
    return locks.locked_batch(batch.pk)


def return_objection(batch: Batch) -> str:
    """Why the batch cannot be brought back now; "" if it can."""
    pool = Pool.objects.get(pk=batch.pool_id)
    if pool.is_withdrawn:
        return f"the pool {pool} is withdrawn: bring it back first"
    return second_rounds.return_objection(batch)
