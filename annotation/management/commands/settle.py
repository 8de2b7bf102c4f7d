from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import FormCommand
from annotation.actions import settlement
from annotation.commands import BATCH, BatchCommand
from annotation.forms.settlement import SettleForm


class Command(FormCommand, BatchCommand):
    help = "Settle a closed batch by a rule: every item is decided, disputed, or set aside."
    expected: ClassVar = (settlement.SettleError,)
    named: ClassVar = (BATCH,)
    form_class = SettleForm

    def act(self, **options: Any) -> Mapping[str, Any]:
        asked = {name: options[name] for name in ("batch", "rule", "expire_claims", "by")}
        try:
            settled = settlement.settle(**asked)
        except settlement.OpenClaimsError as error:
            raise CommandError(
                f"{error}, or release all that people hold with --expire-claims"
            ) from error
        return {"batch": options["batch"].name, "rule": options["rule"], **asdict(settled)}
