from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from annotation.commands import BATCH, BatchCommand, require_reader
from annotation.queries import candidates_and_flags


class Command(BatchCommand):
    help = "List the flags of annotators with their answers, unanswered flags first."
    named: ClassVar = (BATCH,)

    def act(self, **options: Any) -> Mapping[str, Any]:
        require_reader(options["by"], options["study"])
        found = candidates_and_flags.flags(options["batch"])
        return {
            "n_open": sum(not flag.answers for flag in found),
            "flags": [asdict(flag) for flag in found],
        }
