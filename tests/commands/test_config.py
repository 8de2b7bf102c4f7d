"""serve."""

import re
import signal
import socket
import threading
import urllib.request
from io import StringIO

import pytest
import waitress
from django.core.management import call_command
from django.db.migrations.executor import MigrationExecutor

from config.management.commands import serve
from tests.commands.calling import refusal


class Worker:
    """Stands in for the worker's process: `lives` tells how often it dies, and how soon."""

    made = []

    def __init__(self, deaths=()):
        self.deaths, self.status, self.has_ended = list(deaths), None, False

    @classmethod
    def started(cls):
        worker = cls.next_ones.pop(0)
        cls.made.append(worker)
        return worker

    def ended_within(self, *, seconds):
        if not self.deaths:
            raise KeyboardInterrupt
        self.status = -9
        return True

    def was_short_lived(self):
        return self.deaths[0] == "soon"

    def end(self, *, say):
        self.has_ended = True


class Server:
    """Stands in for the web server: it serves until the test is over."""

    def __init__(self):
        self.asked, self.addresses = None, []
        self.over = threading.Event()
        self.task_dispatcher = self
        self.is_shut = False

    def run(self):
        self.over.wait(20)

    def shutdown(self):
        self.is_shut = True


@pytest.fixture
def port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


@pytest.fixture
def workers(monkeypatch):
    """The workers that are started, one after another."""
    monkeypatch.setattr(serve, "Worker", Worker)
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)
    monkeypatch.setattr(Worker, "made", [])
    monkeypatch.setattr(Worker, "next_ones", [Worker()], raising=False)
    return Worker


@pytest.fixture
def server(monkeypatch):
    server = Server()

    def create(application, *, sockets, **options):
        server.asked = options
        server.addresses = [each.getsockname() for each in sockets]
        return server

    monkeypatch.setattr(waitress, "create_server", create)
    yield server
    server.over.set()


def served(*options):
    out, err = StringIO(), StringIO()
    call_command("serve", *map(str, options), stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_serve_serves_until_ctrl_c_and_ends_its_worker_with_itself(db, port, workers, server):
    out, err = served("--port", port, "--threads", 3)

    assert server.addresses == [("127.0.0.1", port)]
    assert server.asked["threads"] == 3
    assert [worker.has_ended for worker in workers.made] == [True]
    assert server.is_shut
    assert f"http://127.0.0.1:{port}/" in out
    assert out.endswith("Ended.\n")
    assert err == ""


def test_serve_prints_the_link_of_the_first_steps_as_long_as_nobody_is_there(
    db, port, workers, server, client
):
    out, _ = served("--port", port)

    link = re.search(rf"http://127\.0\.0\.1:{port}(/first-steps/\S+)", out)[1]
    assert 'name="password"' in client.get(link).content.decode()


def test_serve_prints_no_such_link_once_somebody_is_there(alice, port, workers, server):
    out, _ = served("--port", port)

    assert "first-steps" not in out


@pytest.mark.parametrize(
    ("n_proxies", "seen"),
    [(0, "127.0.0.1 http"), (1, "198.51.100.2 https"), (2, "198.51.100.1 https")],
)
def test_serve_believes_as_many_proxies_as_there_are(settings, n_proxies, seen):
    """Each proxy adds whom it heard; what came before the first of ours could be anything."""
    settings.N_PROXIES = n_proxies

    def application(environ, start):
        start("200 OK", [("Content-Type", "text/plain")])
        return [f"{environ['REMOTE_ADDR']} {environ['wsgi.url_scheme']}".encode()]

    address = serve.listening("127.0.0.1", 0)
    server = waitress.create_server(application, sockets=[address], **serve.behind_proxies())
    threading.Thread(target=server.run, daemon=True).start()
    request = urllib.request.Request(
        f"http://127.0.0.1:{address.getsockname()[1]}/",
        headers={
            "X-Forwarded-For": "203.0.113.9, 198.51.100.1, 198.51.100.2",
            "X-Forwarded-Proto": "https",
        },
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert answer.read().decode() == seen
    server.close()
    server.task_dispatcher.shutdown()


def test_serve_starts_no_worker_where_they_run_elsewhere(db, port, workers, server):
    server.over.set()

    served("--port", port, "--no-worker")

    assert workers.made == []


def test_serve_starts_another_worker_for_one_that_died(db, port, workers, server):
    workers.next_ones = [Worker(["after an hour"]), Worker()]

    _, err = served("--port", port)

    assert len(workers.made) == 2
    assert [worker.has_ended for worker in workers.made] == [True, True]
    assert err == "the worker has died (exit status -9); starting another\n"


def test_serve_ends_with_a_sentence_where_every_worker_would_die(db, port, workers, server):
    workers.next_ones = [Worker(["after an hour"]), Worker(["soon"]), Worker()]

    said = refusal("serve", "--port", port)

    assert said.startswith("the worker has died (exit status -9) as soon as it was started")
    assert len(workers.made) == 2
    assert server.is_shut


def test_serve_does_not_go_on_without_its_web_server(db, port, workers, server, monkeypatch):
    monkeypatch.setattr(Worker, "ended_within", lambda worker, seconds: server.over.set())

    said = refusal("serve", "--port", port)

    assert said.startswith("the web server has ended by itself")
    assert workers.made[0].has_ended


def test_serve_refuses_an_address_that_is_taken_before_a_worker_is_started(db, workers):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        said = refusal("serve", "--port", port)

    assert said.startswith(f"127.0.0.1:{port} cannot be used (Address already in use")
    assert "Choose another with --port" in said
    assert workers.made == []


@pytest.mark.parametrize("host", ["no such host", "", "h" * 300, "a..b"])
def test_serve_refuses_a_host_that_is_none(db, workers, host):
    assert f"{host}:8000 cannot be used (" in refusal("serve", "--host", host)
    assert workers.made == []


@pytest.mark.parametrize(
    "option", [("--port", 0), ("--port", 65536), ("--port", "x"), ("--threads", 0)]
)
def test_serve_refuses_numbers_that_cannot_be(workers, option):
    assert f"argument {option[0]}: " in refusal("serve", *option)


def test_serve_refuses_a_database_that_is_not_set_up_before_a_worker_is_started(
    db, workers, server, monkeypatch
):
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda executor, targets: ["one"])

    assert refusal("serve") == "the database is not set up: run manage.py migrate"
    assert (server.asked, workers.made) == (None, [])
