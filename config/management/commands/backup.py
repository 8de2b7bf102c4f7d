from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from accounts.commands import SummaryCommand, whole_number
from config.backups import making
from config.backups.errors import BackupError


class Command(SummaryCommand):
    help = "Back up the database, all stored files and the secret key. People can work meanwhile."
    expected: ClassVar = (BackupError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", metavar="DIR", help="each backup is a new folder in it")
        parser.add_argument(
            "--keep",
            type=whole_number(1, 100_000),
            metavar="N",
            help="keep only the newest N backups of this installation; default: keep all",
        )

        parser.add_argument(
            "--incomplete",
            action="store_true",
            help="back up although files of releases are missing; then no old backup is removed",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        made = making.back_up(
            Path(options["folder"]), keep=options["keep"], incomplete=options["incomplete"]
        )
        return {
            "backup": str(made.place),
            "n_files": len(made.manifest.files),
            "n_bytes": sum(each.size for each in made.manifest.files.values()),
            "removed": [str(each) for each in made.removed],
            "notes": made.notes,
        }
