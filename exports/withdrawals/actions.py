"""Withdrawal of pools, of versions of data sets and of releases, and their return.

What is still at work or counts on top of a thing is withdrawn first. Batches and pools are made under
the lock on the study, which is held here too: nothing is made on a thing while it is withdrawn. A batch is
opened again under the lock on its data set.
"""

from django.db import transaction

from accounts import permissions
from accounts.actions import withdrawals
from accounts.actions.locks import lock_study
from accounts.actions.withdrawals import WithdrawalError
from accounts.models import Role, User
from corpus.models import Dataset
from exports.models import Release
from exports.withdrawals import objections
from sampling.models import Pool


@transaction.atomic
def withdraw_pool(*, pool: Pool, reason: str, by: User) -> Pool:
    """Offer the pool for no new batch. Also of audit samples, pools of evidence and comparisons.

    Raises WithdrawalError while the pool is built, and while a batch or a pool drawn from it counts.
    """
    permissions.require(by, pool.study, Role.REQUESTER)
    lock_study(pool.study)
    _refuse(objections.of_pool(pool))
    withdrawals.withdraw(thing=pool, study=pool.study, reason=reason, by=by)
    return Pool.objects.select_related("dataset__study").get(pk=pool.pk)


@transaction.atomic
def bring_pool_back(*, pool: Pool, reason: str, by: User) -> Pool:
    """Offer the pool for batches again.

    Raises WithdrawalError while what it was drawn from is withdrawn.
    """
    permissions.require(by, pool.study, Role.REQUESTER)
    lock_study(pool.study)
    _refuse(objections.of_pool_return(pool))
    withdrawals.bring_back(thing=pool, study=pool.study, reason=reason, by=by)
    return Pool.objects.select_related("dataset__study").get(pk=pool.pk)


@transaction.atomic
def withdraw_dataset(*, dataset: Dataset, reason: str, by: User) -> Dataset:
    """Use the version for nothing new. What was judged on it stays, and counts in its own results.

    Raises WithdrawalError while one of its batches is a draft, open or paused.
    """
    permissions.require(by, dataset.study, Role.REQUESTER)
    lock_study(dataset.study)
    # A batch is opened again under the lock on its data set.
    Dataset.objects.select_for_update(no_key=True).get(pk=dataset.pk)
    _refuse(objections.of_dataset(dataset))
    withdrawals.withdraw(thing=dataset, study=dataset.study, reason=reason, by=by)
    return Dataset.objects.select_related("study").get(pk=dataset.pk)


@transaction.atomic
def bring_dataset_back(*, dataset: Dataset, reason: str, by: User) -> Dataset:
    """Let a withdrawn version be used again. Raises WithdrawalError."""
    permissions.require(by, dataset.study, Role.REQUESTER)
    lock_study(dataset.study)
    withdrawals.bring_back(thing=dataset, study=dataset.study, reason=reason, by=by)
    return Dataset.objects.select_related("study").get(pk=dataset.pk)


@transaction.atomic
def withdraw_release(*, release: Release, reason: str, by: User) -> Release:
    """Mark the release as withdrawn. Its files stay; later releases are compared with the one before it.

    Raises WithdrawalError.
    """
    permissions.require(by, release.study, Role.REQUESTER)
    lock_study(release.study)
    _refuse(objections.of_release(_current(release)))
    withdrawals.withdraw(thing=release, study=release.study, reason=reason, by=by)
    return _current(release)


@transaction.atomic
def bring_release_back(*, release: Release, reason: str, by: User) -> Release:
    """Compare later releases with a withdrawn one again. Raises WithdrawalError."""
    permissions.require(by, release.study, Role.REQUESTER)
    lock_study(release.study)
    _refuse(objections.of_release_return(_current(release)))
    withdrawals.bring_back(thing=release, study=release.study, reason=reason, by=by)
    return _current(release)


def _current(release: Release) -> Release:
    return Release.objects.select_related("study").get(pk=release.pk)


def _refuse(objection: str) -> None:
    if objection:
        raise WithdrawalError(objection)
