from typing import Any

from exports.withdrawals.commands import WithdrawalCommand
from exports.withdrawals.kinds import Kind


class Command(WithdrawalCommand):
    help = "Withdraw a batch or a run, with a reason: it counts nowhere, until bring_back."

    def decide(self, kind: Kind, **options: Any) -> Any:
        return kind.withdraw(**options)
