"""Withdrawing what counts no more, and bringing it back: each time with a reason, by an added row."""

from django.db import transaction

from accounts import permissions
from accounts.errors import ActionError
from accounts.models import Role, Study, User
from accounts.withdrawable import LONGEST_REASON, Withdrawable
from audit import events


class WithdrawalError(ActionError):
    """It cannot be withdrawn or brought back; the message says why."""


@transaction.atomic
def withdraw(*, thing: Withdrawable, study: Study, reason: str, by: User) -> Withdrawable:
    """Withdraw the thing of the study, and return it as it is now. Raises WithdrawalError."""
    return _decide(thing, study, is_withdrawn=True, reason=reason, by=by)


@transaction.atomic
def bring_back(*, thing: Withdrawable, study: Study, reason: str, by: User) -> Withdrawable:
    """Let a withdrawn thing count again, and return it as it is now. Raises WithdrawalError."""
    return _decide(thing, study, is_withdrawn=False, reason=reason, by=by)


def _decide(
    thing: Withdrawable, study: Study, *, is_withdrawn: bool, reason: str, by: User
) -> Withdrawable:
    permissions.require(by, study, Role.REQUESTER)
    cleaned = _cleaned(reason)
    rows = type(thing)._default_manager.select_for_update(of=("self",), no_key=True)
    locked = rows.get(pk=thing.pk)
    if locked.is_withdrawn == is_withdrawn:
        raise WithdrawalError(
            f"{locked} is withdrawn already" if is_withdrawn else f"{locked} is not withdrawn"
        )
    locked.withdrawals.create(
        replaces=locked.withdrawals.filter(replaced_by=None).first(),
        is_withdrawn=is_withdrawn,
        reason=cleaned,
        withdrawn_by=by,
    )
    locked.is_withdrawn = is_withdrawn
    locked.save(update_fields=["is_withdrawn"])
    verb = "withdrew" if is_withdrawn else "brought back"
    events.record(study=study, by=by, verb=verb, target=locked, reason=cleaned)
    return locked


def _cleaned(reason: str) -> str:
    stripped = reason.strip()
    if not stripped:
        raise WithdrawalError("the reason is empty: it must say something")
    if "\0" in stripped:
        raise WithdrawalError("the reason holds a NUL character: it is not a text")
    if len(stripped) > LONGEST_REASON:
        raise WithdrawalError(
            f"the reason has {len(stripped)} characters; it may have {LONGEST_REASON} at most"
        )
    return stripped
