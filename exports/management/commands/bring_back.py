from typing import Any

from exports.withdrawals.commands import WithdrawalCommand
from exports.withdrawals.kinds import Kind


class Command(WithdrawalCommand):
    help = "Bring back what was withdrawn, with a reason: a batch, a pool, a run, a version of a data set, a release."

    def decide(self, kind: Kind, **options: Any) -> Any:
        return kind.bring_back(**options)
