"""serve."""

import contextlib
import re
import signal
import socket
import threading
import urllib.request
from io import StringIO
from types import SimpleNamespace

import pytest
import waitress
from django.core.management import call_command
from django.db.migrations.executor import MigrationExecutor
from waitress import wasyncore

from config import children, web
from config.management.commands import serve
from tests.commands.command_calls import command_error


class Fake:
    """Stands in for a process that serve keeps: `deaths` tells how it dies, one after another."""

    def __init__(self, name, deaths=()):
        self.name, self.deaths = name, list(deaths)
        self.status, self.has_ended = None, False
        self.process = SimpleNamespace(pid=0)

    def has_ended_within(self, *, seconds):
        if not self.deaths:
            return False
        self.status = 1 if self.deaths == ["failed"] else -9
        return True

    def has_failed(self):
        return self.status == 1

    def was_short_lived(self):
        return self.deaths[0] != "after an hour"

    def end(self, *, say):
        self.has_ended = True


class Last(Fake):
    """Somebody presses Ctrl-C when it is looked after."""

    def has_ended_within(self, *, seconds):
        raise KeyboardInterrupt


@pytest.fixture
def port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


class Kept:
    """What serve starts, and what it would start next."""

    def __init__(self):
        self.made, self.addresses, self.threads = [], [], []
        self.workers, self.webs = [Last("worker")], []

    def worker(self):
        self.made.append(self.workers.pop(0))
        return self.made[-1]

    def web(self, address, threads, counts):
        assert counts.is_dir()
        self.addresses.append(address.getsockname())
        self.threads.append(threads)
        self.made.append(self.webs.pop(0) if self.webs else Fake("web server"))
        return self.made[-1]

    def named(self, name):
        return [each for each in self.made if each.name == name]


@pytest.fixture
def kept(monkeypatch, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    kept = Kept()
    monkeypatch.setattr(serve.os, "geteuid", lambda: 1000)  # nobody is advised against root
    monkeypatch.setattr(children, "worker", kept.worker)
    monkeypatch.setattr(children, "web_server", kept.web)
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)
    return kept


def served(*options):
    out, err = StringIO(), StringIO()
    call_command("serve", *map(str, options), stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_serve_serves_until_ctrl_c_and_ends_everybody_with_itself(db, port, kept):
    out, err = served("--port", port, "--processes", 2, "--threads", 3)

    assert kept.addresses == [("127.0.0.1", port)] * 2
    assert kept.threads == [3, 3]
    assert [each.name for each in kept.made] == ["web server", "web server", "worker"]
    assert all(each.has_ended for each in kept.made)
    assert f"http://127.0.0.1:{port}/" in out
    assert out.endswith("Ended.\n")
    assert err == ""


def test_serve_prints_the_link_of_the_first_steps_as_long_as_nobody_is_there(
    db, port, kept, client
):
    out, _ = served("--port", port)

    link = re.search(rf"http://127\.0\.0\.1:{port}(/first-steps/\S+)", out)[1]
    assert 'name="password"' in client.get(link).content.decode()


def test_serve_prints_no_such_link_once_somebody_is_there(alice, port, kept):
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

    address = serve.listening_socket("127.0.0.1", 0)
    server = waitress.create_server(application, sockets=[address], **web.proxy_options())

    def run():
        with contextlib.suppress(OSError):  # it is closed in the midst of listening
            server.run()

    serving = threading.Thread(target=run, daemon=True)
    serving.start()
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
    serving.join(20)
    server.task_dispatcher.shutdown()
    wasyncore.close_all(server._map)  # the connection, where it was not seen yet that it is closed


def test_serve_starts_no_worker_where_they_run_elsewhere(db, port, kept):
    kept.webs = [Last("web server")]

    served("--port", port, "--no-worker")

    assert kept.named("worker") == []


@pytest.mark.parametrize("name", ["worker", "web server"])
def test_serve_starts_another_one_for_each_that_died(db, port, kept, name):
    dies = [Fake(name, ["after an hour"]), Fake(name)]
    kept.webs, kept.workers = (
        ([], [*dies[:1], Last(name)]) if name == "worker" else (dies, kept.workers)
    )

    _, err = served("--port", port, "--processes", 1)

    assert len(kept.named(name)) == 2
    assert all(each.has_ended for each in kept.made)
    assert err == f"the {name} has died (exit status -9); starting another\n"


@pytest.fixture
def pauses(monkeypatch):
    """Time passes only where serve sleeps; gives the pauses before each new start."""
    now, slept = [1000.0], []

    def sleep(seconds):
        slept.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(children.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(serve.time, "sleep", sleep)
    monkeypatch.setattr(serve, "LOOK_EVERY", 0.25)
    return slept


def test_serve_starts_another_one_where_one_was_killed_soon_after_its_start(db, port, kept, pauses):
    kept.webs, kept.workers = [Fake("web server", ["soon"]), Last("web server")], [Fake("worker")]

    _, err = served("--port", port, "--processes", 1)

    assert len(kept.named("web server")) == 2
    assert err == "the web server has died (exit status -9); starting another\n"


@pytest.mark.parametrize("name", ["worker", "web server"])
def test_serve_ends_with_a_sentence_after_five_short_lives_in_a_row(db, port, kept, pauses, name):
    deaths = [Fake(name, ["after an hour"]), *(Fake(name, ["soon"]) for _ in range(5)), Fake(name)]
    if name == "worker":
        kept.workers = deaths
    else:
        kept.webs, kept.workers = deaths, [Fake("worker")]

    said = command_error("serve", "--port", port, "--processes", 1)

    assert said.startswith(
        f"the {name} has died (exit status -9) 5 times in a row as soon as it was started"
    )
    assert len(kept.named(name)) == 6
    assert all(each.has_ended for each in kept.made)
    assert sum(pauses) >= 0.5 + 1 + 2 + 4  # growing


def test_a_long_life_between_them_ends_the_row_of_short_ones(db, port, kept, pauses):
    lives = [*["soon"] * 4, "after an hour", *["soon"] * 4]
    kept.webs = [*(Fake("web server", [life]) for life in lives), Last("web server")]
    kept.workers = [Fake("worker")]

    served("--port", port, "--processes", 1)

    assert len(kept.named("web server")) == len(lives) + 1


def test_serve_ends_at_once_where_no_web_server_comes_up(db, port, kept, pauses):
    kept.webs = [Fake("web server", ["failed"]), Fake("web server", ["failed"])]
    kept.workers = [Fake("worker")]

    said = command_error("serve", "--port", port, "--processes", 2)

    assert said.startswith("the web server has died (exit status 1) as soon as it was started")
    assert len(kept.named("web server")) == 2
    assert all(each.has_ended for each in kept.made)


def test_one_web_server_that_fails_beside_one_that_runs_is_tried_again(db, port, kept, pauses):
    kept.webs = [Fake("web server"), Fake("web server", ["failed"]), Last("web server")]
    kept.workers = [Fake("worker")]

    served("--port", port, "--processes", 2)

    assert len(kept.named("web server")) == 3


def test_serve_refuses_an_address_that_is_taken_before_a_worker_is_started(db, kept):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        said = command_error("serve", "--port", port)

    assert said.startswith(f"127.0.0.1:{port} cannot be used (Address already in use")
    assert "Choose another with --port" in said
    assert kept.made == []


@pytest.mark.parametrize("host", ["no such host", "", "h" * 300, "a..b"])
def test_serve_refuses_a_host_that_is_none(db, kept, host):
    assert f"{host}:8000 cannot be used (" in command_error("serve", "--host", host)
    assert kept.made == []


@pytest.mark.parametrize(
    "option",
    [("--port", 0), ("--port", 65536), ("--port", "x"), ("--threads", 0), ("--processes", 0)],
)
def test_serve_refuses_numbers_that_cannot_be(kept, option):
    assert f"argument {option[0]}: " in command_error("serve", *option)


def test_serve_refuses_a_database_that_is_not_set_up_before_a_worker_is_started(
    db, kept, monkeypatch
):
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda executor, targets: ["one"])

    assert command_error("serve").startswith("the database is of an earlier version: back it up")
    assert kept.made == []
