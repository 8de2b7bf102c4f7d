"""Whatever leaves the server says what a browser may do with it: pages, errors, redirects, files alike."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import path, reverse

from config.urls import (
    handler400,  # noqa: F401  found here by name
    handler403,  # noqa: F401
    handler404,  # noqa: F401
    handler500,  # noqa: F401
)
from config.urls import urlpatterns as real
from pages.middleware import MB
from tests.access.world import World, build
from tests.crawling import body_of
from tests.parts import part

ROOT = Path(__file__).resolve().parents[1]


def broken(request):
    raise RuntimeError("a secret")


urlpatterns = [path("broken/", broken), *real]

REQUESTS = {
    "page": 200,
    "page for signed-out": 200,
    "part of a page": 200,
    "redirect": 302,
    "bad request": 400,
    "unknown host": 400,
    "not allowed": 403,
    "no token": 403,
    "not found": 404,
    "method": 405,
    "link that ended": 410,
    "too large": 413,
    "unexpected": 500,
    "download": 200,
    "archive": 200,
    "table": 200,
    "health": 200,
    "static file": 200,
    "no static file": 404,
}


@part
def world() -> World:
    return build()


@pytest.fixture
def replies(world, settings, tmp_path):
    """One of each kind of reply, by its name."""
    settings.ROOT_URLCONF = __name__
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATIC_ROOT.mkdir()
    (settings.STATIC_ROOT / "icon.svg").write_text("<svg/>", encoding="utf-8")
    alice, bob = (browser(world.persons[who]) for who in ("requester", "annotator"))
    study = {"study": world.study.slug}
    release = {**study, "number": world.release.number}
    job = {**study, "job": world.job.pk}

    def reply(kind: str) -> HttpResponse:
        return {
            "page": lambda: alice.get(reverse("study", kwargs=study)),
            "page for signed-out": lambda: Client().get(reverse("sign_in")),
            "part of a page": lambda: alice.get(
                reverse("job", kwargs=job), headers={"HX-Request": "true"}
            ),
            "redirect": lambda: Client().get(reverse("work")),
            "bad request": lambda: alice.post(
                reverse("study_settings", kwargs=study), {"description": "x" * 3 * MB}
            ),
            "unknown host": lambda: Client().get("/", headers={"host": "elsewhere.example"}),
            "not allowed": lambda: bob.get(reverse("study", kwargs=study)),
            "no token": lambda: browser(world.persons["requester"], checks=True).post(
                reverse("sign_out")
            ),
            "not found": lambda: alice.get("/nowhere/"),
            "method": lambda: alice.get(reverse("sign_out")),
            "link that ended": lambda: Client().get(reverse("password_link", args=["1-x"])),
            "too large": lambda: alice.post(
                reverse("study_settings", kwargs=study), CONTENT_LENGTH=str(11 * MB)
            ),
            "unexpected": lambda: alice.get("/broken/"),
            "download": lambda: alice.get(
                reverse("release_file", kwargs={**release, "name": "gold.json"})
            ),
            "archive": lambda: alice.get(reverse("release_zip", kwargs=release)),
            "table": lambda: alice.get(reverse("job_problems", kwargs=job)),
            "health": lambda: Client().get(reverse("health")),
            "static file": lambda: Client().get("/static/icon.svg"),
            "no static file": lambda: Client().get("/static/nothing.svg"),
        }[kind]()

    return reply


def browser(user, *, checks: bool = False) -> Client:
    client = Client(raise_request_exception=False, enforce_csrf_checks=checks)
    client.force_login(user, backend="accounts.backends.RealPeopleBackend")
    return client


@pytest.mark.parametrize(("kind", "status"), REQUESTS.items())
def test_every_kind_of_reply_says_what_a_browser_may_do_with_it(replies, kind, status):
    reply = replies(kind)
    body_of(reply)  # a file is closed once it is read

    assert reply.status_code == status
    policy = reply.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    assert reply.headers["X-Frame-Options"] == "DENY"
    assert reply.headers["Referrer-Policy"] == "same-origin"
    assert reply.headers["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.parametrize("kind", ["download", "archive", "table"])
def test_a_download_is_kept_and_not_shown(replies, kind):
    """A file that somebody sent must never run as a page of this host."""
    reply = replies(kind)
    body_of(reply)

    assert reply.headers["Content-Disposition"].startswith("attachment; filename=")
    assert "html" not in reply.headers["Content-Type"]


@pytest.mark.parametrize(
    "kind", ["page", "page for signed-out", "part of a page", "not allowed", "download", "table"]
)
def test_what_depends_on_who_asks_is_kept_nowhere(replies, kind):
    """Back, after signing out, asks again and is sent to sign in."""
    reply = replies(kind)
    body_of(reply)

    assert "no-store" in reply.headers["Cache-Control"]


def test_static_files_may_be_kept(replies):
    reply = replies("static file")
    body_of(reply)

    assert "no-store" not in reply.headers["Cache-Control"]


# Cookies


def test_cookies_are_out_of_reach_of_scripts_and_of_other_sites(world):
    alice = world.persons["requester"]
    alice.set_password("dark-stone")
    alice.save()
    client = Client()
    replies = [
        client.post(reverse("sign_in"), {"username": "alice", "password": "dark-stone"}),
        client.get(reverse("account")),
        client.post(reverse("study_settings", args=[world.study.slug]), {"title": "Bridges"}),
    ]

    cookies = [cookie for reply in replies for cookie in reply.cookies.values()]

    assert {cookie.key for cookie in cookies} == {
        "sessionid",
        "csrftoken",
        "messages",
        "known_names",
    }
    assert all(cookie["httponly"] for cookie in cookies)
    assert {cookie["samesite"] for cookie in cookies} == {"Lax"}


@pytest.mark.parametrize(
    ("environment", "is_secure"),
    [
        ({}, False),
        ({"TOUCHSTONE_HOSTS": "localhost,127.0.0.1"}, False),
        ({"TOUCHSTONE_HOSTS": "touchstone.example"}, True),
        ({"TOUCHSTONE_HOSTS": "localhost,touchstone.example"}, True),
        ({"TOUCHSTONE_HOSTS": "touchstone.example", "TOUCHSTONE_SECURE_COOKIES": "0"}, False),
        ({"TOUCHSTONE_SECURE_COOKIES": "1"}, True),
    ],
)
def test_cookies_go_over_https_only_once_others_can_reach_the_server(
    monkeypatch, environment, is_secure
):
    for name in ("TOUCHSTONE_HOSTS", "TOUCHSTONE_SECURE_COOKIES", "TOUCHSTONE_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    settings = runpy.run_path(str(ROOT / "config" / "settings.py"))

    assert settings["SESSION_COOKIE_SECURE"] is is_secure
    assert settings["CSRF_COOKIE_SECURE"] is is_secure
    assert bool(settings["SECURE_HSTS_SECONDS"]) is is_secure


@pytest.mark.parametrize(("proxies", "redirects"), [("0", False), ("1", True)])
def test_plain_http_is_sent_to_https_where_a_proxy_says_which_it_was(
    monkeypatch, proxies, redirects
):
    """Without one every request would look like plain HTTP, and be sent round in circles."""
    monkeypatch.setenv("TOUCHSTONE_HOSTS", "touchstone.example")
    monkeypatch.setenv("TOUCHSTONE_PROXIES", proxies)

    settings = runpy.run_path(str(ROOT / "config" / "settings.py"))

    assert settings["SECURE_SSL_REDIRECT"] is redirects


@pytest.mark.parametrize(("path", "status"), [("/sign-in/", 301), ("/health/live/", 200)])
def test_a_balancer_is_answered_by_plain_http_and_people_are_sent_to_https(
    db, settings, path, status
):
    settings.SECURE_SSL_REDIRECT = True

    assert Client().get(path).status_code == status


def test_behind_https_and_a_proxy_djangos_check_of_a_deployment_finds_nothing():
    environment = os.environ | {"TOUCHSTONE_HOSTS": "touchstone.example", "TOUCHSTONE_PROXIES": "1"}
    environment.pop("DJANGO_ALLOW_ASYNC_UNSAFE", None)  # which tests of browsers set

    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
