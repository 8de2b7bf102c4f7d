"""The units of deploy/systemd, read as systemd reads them."""

from dataclasses import dataclass
from pathlib import Path

from tests.jobs.installation import ROOT

FOLDER = ROOT / "deploy" / "systemd"
COMMON = "touchstone-.service.d/common.conf"
SERVICES = sorted(path.name for path in FOLDER.glob("*.service"))


@dataclass(frozen=True)
class Unit:
    """The last value of each setting of a service, those of its own before those in common."""

    name: str
    settings: dict[str, str]

    def seconds(self, name: str) -> int:
        return int(self.settings[name])


def unit(name: str, folder: Path = FOLDER) -> Unit:
    settings: dict[str, str] = {}
    for file in (folder / COMMON, folder / name):
        for line in file.read_text(encoding="utf-8").splitlines():
            if "=" in line and not line.startswith("#"):
                key, _, value = line.partition("=")
                settings[key] = value
    return Unit(name, settings)
