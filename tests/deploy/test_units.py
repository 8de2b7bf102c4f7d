"""The units are what systemd understands, and shut in what they start."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from config import children
from config.management.commands import serve
from tests.deploy.units import FOLDER, SERVICES, unit

# Of 100, where 0 is a service that can do nothing; a service without settings has 96.
MOST_EXPOSURE = 20
BACKUPS = "/var/backups/touchstone"  # the only other place that one of them writes to


@pytest.fixture
def units(tmp_path):
    """The units where the programs that they start are those of this checkout."""
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    for name in SERVICES:
        file = tmp_path / name
        text = file.read_text(encoding="utf-8")
        programs = f"{Path(sys.executable).parent}/"
        file.write_text(text.replace("/opt/touchstone/.venv/bin/", programs), encoding="utf-8")
    return tmp_path


def analyzed(*arguments, folder):
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd is not on this machine (Debian: apt-get install systemd)")
    return subprocess.run(
        [program, *arguments],
        env={"SYSTEMD_UNIT_PATH": f"{folder}:"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_systemd_finds_nothing_wrong_with_the_units(units):
    files = [str(path) for path in sorted(units.glob("touchstone-*.*")) if path.is_file()]

    done = analyzed("verify", "--man=no", *files, folder=units)

    assert len(files) >= 2
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_can_do_little_besides_its_work(units, name):
    options = ("--offline=true", "--no-pager", f"--threshold={MOST_EXPOSURE}")

    done = analyzed("security", *options, str(units / name), folder=units)

    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_is_no_root_and_writes_into_the_data_folder_only(name):
    settings = unit(name).settings

    assert settings["User"] == "touchstone"
    assert (settings["ProtectSystem"], settings["StateDirectory"]) == ("strict", "touchstone")
    assert settings.get("ReadWritePaths", BACKUPS) == BACKUPS
    assert settings["UMask"] == "0077"


def test_systemd_waits_longer_than_the_web_server_takes_to_end():
    """It ends its processes one after the other."""
    longest = serve.PROCESSES * children.PATIENCE

    assert unit("touchstone-web.service").seconds("TimeoutStopSec") > longest
