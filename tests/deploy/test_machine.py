"""docs/deployment.md from an empty machine to a running one, by its own commands, settings and units."""

import json
import os
import signal
import stat
import subprocess
import sys

import pytest

from tests.config import processes
from tests.config.serving import status, until
from tests.deploy import page
from tests.deploy.containerfile import stages, values
from tests.deploy.machine import Machine, has_postgresql
from tests.jobs.installation import LONGEST

pytestmark = [
    pytest.mark.worker,
    pytest.mark.skipif(
        not has_postgresql(), reason="the page's database is PostgreSQL: DATABASE_URL names none"
    ),
]

WEB, WORKER = "touchstone-web.service", "touchstone-worker.service"
BACKUP = "touchstone-backup.service"
MADE = "install -m 600 -o touchstone -g touchstone deploy/touchstone.env.example"
HEALTH = "curl --fail"
NOBODY = 1  # a port on which nobody listens


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    machine = Machine(tmp_path_factory.mktemp("machine"))
    machine.make_folders()
    yield machine
    machine.remove()


@pytest.fixture(scope="module")
def before_start(machine):
    """What the commands print up to the one that asks whether all of it answers."""
    commands = page.commands_to_run()
    (settings,) = [n for n, each in enumerate(commands) if each.startswith(MADE)]
    (health,) = [n for n, each in enumerate(commands) if each.startswith(HEALTH)]
    said = machine.run(commands[: settings + 1])
    machine.change_settings()
    return said + machine.run(commands[settings + 1 : health])


def test_the_settings_are_their_owners_and_check_deploy_names_no_issues(machine, before_start):
    assert stat.S_IMODE(machine.settings_file.stat().st_mode) == 0o600
    assert "System check identified no issues" in before_start
    assert "WARNING" not in before_start


def test_the_units_start_what_answers_and_ends_when_it_is_asked_to(machine, before_start):
    commands = page.commands_to_run()
    (health,) = [n for n, each in enumerate(commands) if each.startswith(HEALTH)]
    with machine.started(WEB) as web, machine.started(WORKER) as worker:
        until(lambda: status(machine.port) == 200 or web.poll() or worker.poll(), "a worker")
        assert (web.poll(), worker.poll()) == (None, None), machine.log(WEB) + machine.log(WORKER)

        # All that the page does then, the steps to a new version among it.
        assert '"worker": "ok"' in machine.run(commands[health:])
        with machine.started(BACKUP) as backup:
            assert backup.wait(LONGEST) == 0, machine.log(BACKUP)
        assert list((machine.folder / "var" / "backups" / "touchstone").glob("touchstone-*"))
        assert (health_of_image(machine.port), health_of_image(NOBODY)) == (0, 1)

        # KillMode=mixed: only the first process is asked. With exit code 0 none is started again.
        for process in (web, worker):
            os.kill(process.pid, signal.SIGTERM)
        assert [process.wait(LONGEST) for process in (web, worker)] == [0, 0]
        for process in (web, worker):
            until(lambda process=process: not processes.in_session(process.pid), "the end of all")
    assert "Traceback" not in machine.log(WEB) + machine.log(WORKER)


def health_of_image(port):
    """The exit code of the image's own check, asking at the port."""
    (check,) = values(stages()[-1], "HEALTHCHECK")
    *_, code = json.loads(check[check.index("[") :])
    code = code.replace(":8000/", f":{port}/")
    return subprocess.run([sys.executable, "-c", code], capture_output=True).returncode
