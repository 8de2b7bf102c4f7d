"""Metrics and the log of a started server of two processes, as Prometheus and a collector of logs read them."""

import json
import os
import signal

import pytest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.parser import text_string_to_metric_families

from tests.config import processes
from tests.config.raw_http import Connection
from tests.config.serving import free_port, serving, status, until

pytestmark = pytest.mark.worker

TOKEN = "a-token-that-only-prometheus-has"
PROCESSES = 2


class Monitored:
    """A server with its log, seen from outside."""

    def __init__(self, installation, port, log, process):
        self.installation, self.port, self.log, self.process = installation, port, log, process
        self.counts_folder = installation.data / "metrics" / f"127.0.0.1-{port}"

    def asked(self, path, *lines, method="GET"):
        with Connection(self.port) as connection:
            connection.send(method, path, *lines, "Content-Length: 0")
            return connection.read(method)

    def metrics(self):
        """Every series by name and labels, as a scrape has it."""
        reply = self.asked("/metrics/", f"Authorization: Bearer {TOKEN}")
        assert reply.status == 200, reply
        families = text_string_to_metric_families(reply.body.decode())
        return {
            (sample.name, *sorted(sample.labels.items())): sample.value
            for family in families
            for sample in family.samples
        }

    def counts(self):
        """Return the metrics of which Prometheus takes differences."""
        endings = ("_total", "_count", "_sum", "_bucket")
        return {key: value for key, value in self.metrics().items() if key[0].endswith(endings)}

    def lines(self):
        """The objects in the log. What `serve` says of itself is no line of it."""
        written = self.log.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in written if line.startswith("{")]


@pytest.fixture(scope="module")
def server(everything, tmp_path_factory):
    installation, _ = everything
    environment = installation.environment | {
        "TOUCHSTONE_METRICS_TOKEN": TOKEN,
        "TOUCHSTONE_LOG_FORMAT": "json",
        "TOUCHSTONE_LOG_LEVEL": "INFO",
        "TOUCHSTONE_PROXIES": "1",
    }
    port, log = free_port(), tmp_path_factory.mktemp("monitored") / "log"
    options = ("--no-worker", "--processes", str(PROCESSES))
    with serving(environment, port, log, *options) as process:
        until(lambda: status(port, "/health/live/") == 200, "the web server")
        yield Monitored(installation, port, log, process)


def answered(view, status="200"):
    return (
        "touchstone_requests_total",
        ("method", "GET"),
        ("status", status),
        ("view", view),
    )


# Metrics


def test_whichever_process_is_asked_tells_of_both(server):
    before = server.metrics().get(answered("sign_in"), 0)
    n_sent = 0
    while not all(sign_ins(server, pid) for pid in processes.children(server.process.pid)):
        connections = [Connection(server.port) for _ in range(20)]
        for each in connections:
            each.send("GET", "/sign-in/")
        for each in connections:
            assert each.read("GET").status == 200
            each.close()
        n_sent += len(connections)

    assert [server.metrics()[answered("sign_in")] for _ in range(6)] == [before + n_sent] * 6


def sign_ins(server, pid):
    """How many of them the process counted by itself."""
    file = server.counts_folder / f"counter_{pid}.db"
    if not file.exists():
        return 0  # it is beginning
    return sum(
        sample.value
        for metric in MultiProcessCollector.merge([str(file)])
        for sample in metric.samples
        if sample.labels.get("view") == "sign_in"
    )


def test_an_address_is_counted_by_its_name_and_a_method_by_a_known_one(server):
    server.asked("/studies/nobody-has-this-study/")
    server.asked("/nowhere/at-all/")
    server.asked("/nowhere/at-all/", method="INVENTED")

    series = server.metrics()

    assert series[answered("none", "404")] >= 1
    assert not [key for key in series if "nobody-has" in str(key) or "at-all" in str(key)]
    assert not [key for key in series if "INVENTED" in str(key)]


def test_metrics_name_nobody_and_no_study(server, addresses):
    for page in list(addresses.pages.values())[::10]:
        cookie = [] if page.open_to == "anonymous" else [addresses.cookie(page.open_to)]
        server.asked(page.path, *cookie)
    people = {name for (name,) in server.installation.query("SELECT username FROM accounts_user")}
    studies = {slug for (slug,) in server.installation.query("SELECT slug FROM accounts_study")}

    labels = {value for key in server.metrics() for _, value in key[1:]}

    assert len(labels) > 40
    assert labels & (people | studies) == set()


@pytest.mark.parametrize(
    "lines", [[], ["Authorization: Bearer wrong"], [f"Authorization: Basic {TOKEN}"]]
)
def test_only_who_has_the_token_reads_metrics(server, lines):
    reply = server.asked("/metrics/", *lines)

    assert reply.status == 401
    assert reply.headers["www-authenticate"].startswith("Bearer")
    assert b"touchstone_" not in reply.body


def test_metrics_wait_for_no_writer(server):
    with server.installation.connect() as connection:
        connection.execute("UPDATE jobs_job SET message = message")

        series = server.metrics()

        connection.rollback()
    assert series[("touchstone_database_up",)] == 1
    connection.close()


# The log


def test_every_line_is_a_json_object_and_every_request_has_one(server):
    reply = server.asked("/sign-in/?next=/work/")

    lines = server.lines()
    (line,) = [line for line in lines if line.get("request") == reply.headers["x-request-id"]]
    assert line | {"method": "GET", "path": "/sign-in/", "status": 200, "level": "INFO"} == line
    assert line["milliseconds"] > 0


def test_a_line_has_the_number_of_whoever_is_signed_in_and_no_name(server, addresses):
    bob = "annotator"
    reply = server.asked("/work/", addresses.cookie(bob))

    (line,) = [
        line for line in server.lines() if line.get("request") == reply.headers["x-request-id"]
    ]
    numbers = {number for (number,) in server.installation.query("SELECT id FROM accounts_user")}
    assert line["user"] in numbers
    assert line.keys() == {
        *("time", "level", "logger", "message", "request"),
        *("method", "path", "status", "milliseconds", "user"),
    }


def test_a_link_that_works_stays_out_of_a_json_line(server):
    reply = server.asked("/password/18-dih2jm-5e79/", method="POST")

    (line,) = [
        line for line in server.lines() if line.get("request") == reply.headers["x-request-id"]
    ]
    assert (line["path"], line["status"]) == ("/password/…/", 403)
    assert "dih2jm" not in json.dumps(line)


def test_behind_a_proxy_a_request_keeps_the_id_that_the_proxy_gave_it(server):
    given = 32 * "a"

    assert server.asked("/sign-in/", f"X-Request-Id: {given}").headers["x-request-id"] == given
    assert server.asked("/sign-in/", "X-Request-Id: <b>").headers["x-request-id"] != "<b>"


@pytest.mark.faults
def test_counts_go_on_when_a_process_is_killed_and_replaced(server):
    before = server.counts()
    folder = server.counts_folder
    killed, *_ = processes.children(server.process.pid)
    assert (folder / f"gauge_livesum_{killed}.db").exists()

    os.kill(killed, signal.SIGKILL)
    until(
        lambda: len(set(processes.children(server.process.pid)) - {killed}) == PROCESSES, "another"
    )
    until(lambda: status(server.port, "/sign-in/") == 200, "the web server")

    after = server.counts()
    assert {key: value for key, value in before.items() if after.get(key, -1) < value} == {}
    assert not (folder / f"gauge_livesum_{killed}.db").exists()
    assert server.metrics()[("touchstone_requests_in_progress",)] == 1
