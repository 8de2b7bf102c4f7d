from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from accounts.commands import SummaryCommand
from config.backups import restoring
from config.backups.errors import BackupError


class Command(SummaryCommand):
    help = "Restore a backup into an empty database and an empty data folder."
    expected: ClassVar = (BackupError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("backup", metavar="DIR", help="the folder of one backup")
        parser.add_argument(
            "--keep-files",
            action="store_true",
            help=(
                "keep existing files, such as releases made since the backup, and add missing ones"
            ),
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        restored = restoring.restore(Path(options["backup"]), keeps_files=options["keep_files"])
        return {
            "made_at": restored.manifest.made_at,
            "version": restored.manifest.version,
            "n_files": len(restored.manifest.files),
            "notes": restored.notes,
        }
