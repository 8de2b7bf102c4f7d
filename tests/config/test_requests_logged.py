"""What the running server writes of requests at the default level."""

import pytest

from tests.config.raw_http import Connection

pytestmark = pytest.mark.worker

LARGE = bytes(11_000_000)  # more than a form without files may send


@pytest.fixture
def asked(port, everything):
    """Returns a reply, and the lines of the log since."""
    log = everything[0].data / "serve.log"

    def asked(method, path, *lines, body=b""):
        before = log.stat().st_size
        with Connection(port) as connection:
            connection.send(method, path, *lines, f"Content-Length: {len(body)}", body=body)
            reply = connection.read(method)
        written = log.read_bytes()[before:].decode().splitlines()
        return reply, written

    return asked


def refused(addresses, kind):
    """A request that is refused, its status, and what its line says beside."""
    bob, alice = addresses.cookie("annotator"), addresses.cookie("requester")
    study = addresses.pages["study"].path
    return {
        "no role": (("GET", study, bob), 403, ", user"),
        "no token of the form": (("POST", "/sign-in/"), 403, ": CSRF cookie not set."),
        "ended link": (("GET", "/join/nobody-made-this/"), 410, ""),
        "too large": (("POST", study, alice), 413, ", user"),
        "another host": (("GET", "/sign-in/", "Host: x.example"), 400, "Invalid HTTP_HOST header"),
        "invented token": (("GET", "/api/v1/studies/", "Authorization: Bearer x"), 401, ""),
    }[kind]


@pytest.mark.parametrize(
    "kind",
    [
        *("no role", "no token of the form", "ended link"),
        *("too large", "another host", "invented token"),
    ],
)
def test_a_refusal_is_one_line(asked, addresses, kind):
    request, status, beside = refused(addresses, kind)

    reply, lines = asked(*request, body=LARGE if kind == "too large" else b"")

    assert reply.status == status
    (line,) = lines
    request_id = reply.headers["x-request-id"]
    assert f" WARNING access request={request_id}: {request[0]} " in line
    assert f" {status} in " in line
    assert beside in line
    assert len(line) < 400


def test_what_is_not_there_and_what_goes_well_leaves_no_line(asked):
    for path in ("/wp-login.php", "/sign-in/", "/health/live/"):
        _, lines = asked("GET", path)

        assert lines == []


def test_a_probe_that_finds_no_worker_is_no_error_each_time(asked, everything):
    everything[0].query("DELETE FROM jobs_workerbeat")

    replies, lines = zip(*(asked("GET", "/health/") for _ in range(5)), strict=True)

    assert {reply.status for reply in replies} == {503}
    assert len([line for some in lines for line in some]) <= 1


def test_without_a_proxy_nobody_chooses_the_id_of_a_request(asked):
    reply, _ = asked("GET", "/sign-in/", "X-Request-Id: 0123456789abcdef")

    assert reply.headers["x-request-id"] != "0123456789abcdef"


def test_without_a_token_in_the_settings_there_are_no_metrics(asked):
    reply, _ = asked("GET", "/metrics/", "Authorization: Bearer ")

    assert reply.status == 404
