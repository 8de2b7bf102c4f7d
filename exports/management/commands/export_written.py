from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from accounts.commands import StudyCommand
from corpus.commands import DATASET
from exports.writers.errors import ReleaseError
from exports.written import actions as written_actions
from exports.written.actions import WrittenError
from stats.agreement.result import DEFAULT_REPLICATES
from stats.bootstrap_settings import Bootstrap


class Command(StudyCommand):
    help = (
        "Write the answers that people wrote from passages into a folder: a table, and "
        "lines as in CLAP-NQ's files, by part."
    )
    expected: ClassVar = (WrittenError, ReleaseError)
    named: ClassVar = (DATASET,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--out", required=True, metavar="DIR", help="a new or empty folder")
        parser.add_argument(
            "--batch",
            action="append",
            default=[],
            metavar="NAME",
            help="only this batch; repeatable; default: all batches of written answers, the rehearsed"
            " ones only if there are no others; with a second round its first one has to be named",
        )
        parser.add_argument("--seed", type=int, default=0, help="of the bootstrap")

    def act(self, **options: Any) -> Mapping[str, Any]:
        written = written_actions.export(
            dataset=options["dataset"],
            batches=options["batch"],
            out=Path(options["out"]),
            bootstrap=Bootstrap(DEFAULT_REPLICATES, options["seed"]),
            by=options["by"],
        )
        differing = written["agreement"]["differing"]
        return {
            "folder": options["out"],
            "batches": written["batches"],
            "is_rehearsal": written["is_rehearsal"],
            **written["counts"],
            "rouge_l_of_differing": differing["rouge_l"]["value"],
            "alpha_of_differing": differing["alpha"]["value"],
        }
