from typing import Any

from exports.withdrawals.commands import WithdrawalCommand
from exports.withdrawals.kinds import Kind


class Command(WithdrawalCommand):
    help = "Withdraw a batch, a pool, a run, a version of a data set or a release, with a reason."

    def decide(self, kind: Kind, **options: Any) -> Any:
        return kind.withdraw(**options)
