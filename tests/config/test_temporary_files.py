"""Temporary files of every process are in the data folder: the system's may be in memory."""

import contextlib
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from django.conf import settings

from accounts.commands.base import TouchstoneCommand
from tests.config import processes
from tests.config.raw_http import Connection
from tests.config.serving import until
from tests.jobs.installation import ROOT

pytestmark = pytest.mark.worker

LARGE = 3_000_000  # more than waitress keeps in memory

# What a process of a worker does when it starts, and where a temporary file would be then.
STARTED_WORKER = """
import tempfile
import config.celery
from celery.signals import worker_process_init
worker_process_init.send(sender=None)
print(tempfile.gettempdir())
"""


def removed_files(session):
    """The files without a name that processes of the session have open."""
    found = []
    for pid in processes.in_session(session):
        for link in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # closed by now
                found.append(link.readlink())
    return [each for each in found if each.is_absolute() and each.name.endswith(" (deleted)")]


def test_a_body_that_arrives_waits_in_the_data_folder(everything, web_server):
    installation, addresses = everything
    page, session = addresses.pages["dataset_import"], web_server.process.pid
    until(lambda: not removed_files(session), "the end of what others sent")
    with Connection(web_server.port) as connection:
        length = f"Content-Length: {LARGE + 1}"
        connection.send("POST", page.path, length, addresses.cookie(page.open_to))
        connection.send_bytes(bytes(LARGE))

        (body,) = until(lambda: removed_files(session), "a body on the disk")

    assert body.is_relative_to(installation.data)


def test_a_worker_keeps_temporary_files_in_the_data_folder(everything):
    installation, _ = everything

    started = subprocess.run(
        [sys.executable, "-c", STARTED_WORKER],
        env=installation.environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert Path(started.stdout.strip()).is_relative_to(installation.data)


def test_a_command_keeps_temporary_files_in_the_data_folder(monkeypatch):
    class Command(TouchstoneCommand):
        requires_system_checks = ()
        used = ""

        def handle(self, *args, **options):
            self.used = tempfile.gettempdir()

    monkeypatch.setattr(tempfile, "tempdir", "/elsewhere")
    command = Command()

    command.run_from_argv(["manage.py", "write"])

    assert Path(command.used).is_relative_to(settings.DATA_DIR)
