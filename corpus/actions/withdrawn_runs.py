"""Withdrawal of a run, and its return."""

from accounts import permissions
from accounts.actions import withdrawals
from accounts.actions.withdrawals import WithdrawalError
from accounts.models import Role, User
from corpus.models import Run, RunKind


def withdraw(*, run: Run, reason: str, by: User) -> Run:
    """Leave the run out of every new table, pool, comparison and release.

    What was judged stays. Raises WithdrawalError for a run that is withdrawn, and for references.
    """
    permissions.require(by, run.dataset.study, Role.REQUESTER)
    if run.kind == RunKind.REFERENCE:
        raise WithdrawalError(f"{run} are references: they belong to the data set")
    withdrawals.withdraw(thing=run, study=run.dataset.study, reason=reason, by=by)
    return Run.objects.get(pk=run.pk)


def bring_back(*, run: Run, reason: str, by: User) -> Run:
    """Let a withdrawn run count again. Raises WithdrawalError."""
    withdrawals.bring_back(thing=run, study=run.dataset.study, reason=reason, by=by)
    return Run.objects.get(pk=run.pk)
