from typing import Any

from exports.withdrawals.commands import WithdrawalCommand
from exports.withdrawals.kinds import Kind


class Command(WithdrawalCommand):
    help = "Bring back a withdrawn batch or run, with a reason: it counts again."

    def decide(self, kind: Kind, **options: Any) -> Any:
        return kind.bring_back(**options)
