"""serve."""

import signal
import socket
from io import StringIO

import pytest
import waitress
from django.core.management import call_command

from config.management.commands import serve
from tests.commands.calling import refusal


class Worker:
    """Stands in for the worker's process."""

    def __init__(self):
        self.asked = []

    def terminate(self):
        self.asked.append("end")

    def wait(self):
        self.asked.append("wait")


@pytest.fixture
def port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


@pytest.fixture
def worker(monkeypatch):
    worker = Worker()
    monkeypatch.setattr(serve, "start_worker", lambda: worker)
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)
    return worker


@pytest.fixture
def served(monkeypatch):
    """What the web server was asked to serve, until Ctrl-C."""
    asked = []

    def until_ctrl_c(application, **options):
        asked.append(options)
        raise KeyboardInterrupt

    monkeypatch.setattr(waitress, "serve", until_ctrl_c)
    return asked


def test_serve_serves_and_ends_its_worker_with_itself(db, port, worker, served):
    out = StringIO()

    call_command("serve", "--port", str(port), "--threads", "3", stdout=out)

    assert served == [{"host": "127.0.0.1", "port": port, "threads": 3}]
    assert worker.asked == ["end", "wait"]
    assert f"http://127.0.0.1:{port}/" in out.getvalue()


def test_serve_starts_no_worker_where_they_run_elsewhere(db, port, worker, served):
    call_command("serve", "--port", str(port), "--no-worker", stdout=StringIO())

    assert len(served) == 1
    assert worker.asked == []


def test_serve_refuses_an_address_that_is_taken(db, worker, served):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        said = refusal("serve", "--port", port)

    assert said.startswith(f"127.0.0.1:{port} cannot be used (Address already in use)")
    assert "Choose another with --port" in said
    assert (served, worker.asked) == ([], [])
