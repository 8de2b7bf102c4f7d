"""nginx and HAProxy as Debian has them, before the web server; a test is skipped where they are not installed."""

import contextlib
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.config.serving import free_port, until

# A proxy ordinarily keeps its connections to the server, and carries anybody's requests on them.
KEEPALIVE_SITE = """
upstream touchstone {{ server 127.0.0.1:{upstream}; keepalive 16; }}
server {{
    listen 127.0.0.1:{port};
    location / {{
        proxy_pass http://touchstone;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $host;
    }}
}}
"""
HAPROXY = """
defaults
    mode http
    timeout connect 5s
    timeout client 10s
    timeout server 10s
    http-reuse {reuse}
listen touchstone
    bind 127.0.0.1:{port}
    server web 127.0.0.1:{upstream}
"""


@contextmanager
def nginx(folder: Path, port: int, site: str) -> Iterator[None]:
    """Run nginx with the site, until it listens at the port."""
    program = installed("nginx")
    folder.mkdir()
    temporary = "\n".join(
        f"{name}_temp_path {folder}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "site.conf").write_text(site, encoding="utf-8")
    (folder / "nginx.conf").write_text(
        f"daemon off; user root; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;\n"
        f"events {{ worker_connections 2048; }}\n"
        f"http {{ access_log off; {temporary} include {folder}/site.conf; }}\n",
        encoding="utf-8",
    )
    with running(program, "-p", str(folder), "-c", str(folder / "nginx.conf"), port=port):
        yield


@contextmanager
def keepalive_nginx(folder: Path, upstream: int) -> Iterator[int]:
    port = free_port()
    with nginx(folder, port, KEEPALIVE_SITE.format(port=port, upstream=upstream)):
        yield port


@contextmanager
def haproxy(folder: Path, upstream: int, *, reuse: str) -> Iterator[int]:
    program, port = installed("haproxy"), free_port()
    folder.mkdir()
    file = folder / "haproxy.cfg"
    file.write_text(HAPROXY.format(port=port, upstream=upstream, reuse=reuse), encoding="utf-8")
    with running(program, "-db", "-q", "-f", str(file), port=port):
        yield port


def installed(name: str) -> str:
    """Return the program's path. Skips the test where it is not installed."""
    # Only root has the folder of servers in its path.
    program = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    if program is None:
        pytest.skip(f"{name} is not on this machine (Debian: apt-get install nginx-light haproxy)")
    return program


@contextmanager
def running(*command: str, port: int) -> Iterator[None]:
    process = subprocess.Popen(command)
    try:
        until(lambda: process.poll() is not None or accepts(port), command[0])
        assert process.poll() is None, f"{command[0]} ended"
        yield
    finally:
        process.terminate()
        process.wait()


def accepts(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False
