from collections.abc import Mapping
from typing import Any, ClassVar

from corpus.commands import DATASET
from exports.commands import FolderCommand
from exports.writers.errors import ReleaseError
from exports.written import actions as written_actions
from exports.written.actions import WrittenError


class Command(FolderCommand):
    help = (
        "Write the answers that people wrote from passages into a folder: a table, and "
        "lines as in CLAP-NQ's files, by part."
    )
    expected: ClassVar = (WrittenError, ReleaseError)
    named: ClassVar = (DATASET,)
    all_batches = (
        "of written answers, the rehearsed ones only if there are no others; with a second round its"
        " first one has to be named"
    )

    def act(self, **options: Any) -> Mapping[str, Any]:
        written = written_actions.export(dataset=options["dataset"], **self.written(options))
        differing = written["agreement"]["differing"]
        return {
            "folder": options["out"],
            "batches": written["batches"],
            "is_rehearsal": written["is_rehearsal"],
            **written["counts"],
            "rouge_l_of_differing": differing["rouge_l"]["value"],
            "alpha_of_differing": differing["alpha"]["value"],
        }
