from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from annotation.commands import BATCH, BatchCommand, require_reader
from annotation.queries import candidates_and_flags


class Command(BatchCommand):
    help = "List the items in dispute, most disputed first, as an adjudicator may see them."
    named: ClassVar = (BATCH,)

    def act(self, **options: Any) -> Mapping[str, Any]:
        require_reader(options["by"], options["study"])
        found = candidates_and_flags.disputes(options["batch"])
        return {"n_disputed": len(found), "disputes": [asdict(dispute) for dispute in found]}
