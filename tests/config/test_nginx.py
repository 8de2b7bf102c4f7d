"""deploy/nginx.conf as it is written there, on ports and with a certificate of the tests."""

import contextlib
import http.client
import re
import socket
import ssl
import subprocess

import pytest

from tests.config import proxies
from tests.config.raw_http import Connection
from tests.config.serving import free_port, serving, until
from tests.config.slow_clients import slow_connections
from tests.jobs.installation import LONGEST, ROOT

HOST = "touchstone.example"
MB = 1_000_000
UPLOAD = "/studies/lighthouses/datasets/import/"
SECRET = "s3cr-et_T0ken"
LINKS = [
    f"/join/{SECRET}/",
    f"//join//{SECRET}/",
    f"/JOIN/{SECRET}",
    f"/password/{SECRET}/?x=1",
    f"/%70assword%2F{SECRET}/",
    f"/first-steps/?token={SECRET}",
    f"/sign-in/?next=%2Fjoin%2F{SECRET}%2F",
]


@pytest.fixture(scope="module")
def server(everything):
    """The port of a web server that believes one proxy."""
    installation, _ = everything
    environment = installation.environment | {
        "TOUCHSTONE_HOSTS": f"{HOST},127.0.0.1",
        "TOUCHSTONE_PROXIES": "1",
    }
    port, log = free_port(), installation.data / "proxied.log"
    options = ("--no-worker", "--processes", "1")
    with serving(environment, port, log, *options) as process:
        until(lambda: process.poll() is not None or proxies.accepts(port), "the web server")
        yield port


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("nginx") / "run"


@pytest.fixture(scope="module")
def nginx(server, folder):
    """The port of nginx, for HTTPS; that for HTTP is the next one."""
    certificate, key = folder.parent / "certificate.pem", folder.parent / "key.pem"
    port = free_port()
    site = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    for written, here in {
        "listen 80;": f"listen 127.0.0.1:{port + 1};",
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "/etc/ssl/touchstone/fullchain.pem": str(certificate),
        "/etc/ssl/touchstone/privkey.pem": str(key),
        "127.0.0.1:8000": f"127.0.0.1:{server}",
    }.items():
        assert site.count(written) == 1, written
        site = site.replace(written, here)
    site = site.replace("/var/log/nginx/", f"{folder}/")
    proxies.installed("nginx")
    create_certificate(certificate, key)
    with proxies.nginx(folder, port, site):
        yield port


def create_certificate(certificate, key):
    subprocess.run(
        [
            *(proxies.installed("openssl"), "req", "-x509", "-nodes", "-days", "1"),
            *("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
            *("-subj", f"/CN={HOST}", "-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )


def secured(client: socket.socket) -> ssl.SSLSocket:
    return CONTEXT.wrap_socket(client, server_hostname=HOST)


# Whether nginx keeps a certificate of somebody's is not what is tested.
CONTEXT = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
CONTEXT.check_hostname, CONTEXT.verify_mode = False, ssl.CERT_NONE


def asked(port, method, path, body=None, **headers):
    client = http.client.HTTPSConnection("127.0.0.1", port, timeout=LONGEST, context=CONTEXT)
    with contextlib.closing(client):
        client.request(method, path, body, {"Host": HOST, **headers})
        reply = client.getresponse()
        return reply, reply.read().decode()


def test_http_leads_to_https(nginx):
    with Connection(nginx + 1) as connection:
        connection.send("GET", "/sign-in/", f"Host: {HOST}")
        reply = connection.read("GET")

    assert (reply.status, reply.headers["location"]) == (301, f"https://{HOST}/sign-in/")


def test_touchstone_hears_who_asked_and_that_it_was_by_https(nginx, everything):
    """A wrong password is counted for the address that nginx saw, not for one that the client names."""
    installation, _ = everything
    reply, page = asked(nginx, "GET", "/sign-in/")
    cookie = reply.headers["Set-Cookie"]
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
    headers = {
        "Cookie": cookie.partition(";")[0],
        "Content-Type": "application/x-www-form-urlencoded",
        "X-Forwarded-For": "203.0.113.9",
        "X-Forwarded-Proto": "http",
    }
    form = f"csrfmiddlewaretoken={token}&username=nobody&password=wrong"

    without_referer, _ = asked(nginx, "POST", "/sign-in/", form, **headers)
    refused, _ = asked(nginx, "POST", "/sign-in/", form, Referer=f"https://{HOST}/", **headers)

    assert "Secure" in cookie
    assert without_referer.status == 403  # Django asks for it by HTTPS only
    assert refused.status == 200
    assert installation.query("SELECT ip_address FROM axes_accessattempt") == [("127.0.0.1",)]


def test_five_hundred_slow_connections_leave_the_site_at_work_for_others(nginx):
    with slow_connections(nginx, 500, secured):
        assert [asked(nginx, "GET", "/sign-in/")[0].status for _ in range(5)] == [200] * 5


def test_a_file_of_who_has_not_signed_in_is_refused_before_it_is_sent(nginx, folder):
    with secured(socket.create_connection(("127.0.0.1", nginx), timeout=LONGEST)) as client:
        client.sendall(
            f"POST {UPLOAD} HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {100 * MB}\r\n\r\n".encode()
        )

        assert client.recv(100).startswith(b"HTTP/1.1 413 ")
    assert not any(path.is_file() for path in (folder / "client_body").rglob("*"))


def test_a_file_of_a_requester_gets_through(nginx, addresses):
    page = addresses.pages["dataset_import"]
    cookie = addresses.cookie(page.open_to).removeprefix("Cookie: ")

    reply, _ = asked(nginx, "POST", page.path, bytes(12 * MB), Cookie=cookie)

    assert page.path == UPLOAD
    assert reply.status == 403  # it has no token of the form


def test_metrics_are_for_nobody_who_comes_through_nginx(nginx):
    reply, page = asked(nginx, "GET", "/metrics/")

    assert reply.status == 404
    assert "nginx" in page


def test_a_request_has_the_id_that_nginx_gave_it_whatever_the_client_says(nginx):
    reply, _ = asked(nginx, "GET", "/sign-in/", **{"X-Request-Id": "0123456789abcdef"})

    assert re.fullmatch("[0-9a-f]{32}", reply.headers["X-Request-Id"])


def test_no_log_has_a_link_that_works(nginx, folder):
    for path in LINKS:
        asked(nginx, "GET", path, Referer=f"https://{HOST}{path}")
        # For a body this large nginx writes a line into the log of errors, too.
        asked(nginx, "POST", path, **{"Content-Length": str(4 * MB)})
    with Connection(nginx + 1) as connection:
        connection.send("GET", LINKS[0], f"Host: {HOST}")
        connection.read("GET")

    log = (folder / "access.log").read_text(encoding="utf-8")
    assert log.count("GET /join/... HTTP/1.1") >= 2
    assert log.count("GET /first-steps/ HTTP/1.1") == 1
    assert SECRET not in log + (folder / "error.log").read_text(encoding="utf-8")


def test_anything_else_that_is_large_is_refused_by_nginx(nginx):
    with secured(socket.create_connection(("127.0.0.1", nginx), timeout=LONGEST)) as client:
        client.sendall(
            f"POST /sign-in/ HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {4 * MB}\r\n\r\n".encode()
        )

        assert client.recv(100).startswith(b"HTTP/1.1 413 ")
