"""A copy of the database lets nobody in: no session, no link and no token can be read from it."""

import base64
import re
import zlib
from dataclasses import dataclass

import pytest

from tests import migrated_database
from tests.config.serving import free_port, serving, status, until
from tests.config.visitors import Visitor
from tests.jobs.installation import Installation, sqlite_in

PASSWORD = "only-for-this-test"


def session_text(data: str) -> bytes:
    """What a session says, which is signed and compressed, but not encrypted."""
    packed = data.lstrip(".").partition(":")[0]
    text = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    return zlib.decompress(text) if data.startswith(".") else text


def contents(place: Installation) -> bytes:
    """Every byte of the database and its side files, and its sessions unpacked."""
    files = [path.read_bytes() for path in place.data.glob("touchstone.sqlite3*")]
    sessions = place.query("SELECT session_data FROM django_session")
    return b"".join([*files, *(session_text(data) for (data,) in sessions)])


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """An installation that nobody uses yet, its port, and the link that its server prints."""
    folder = tmp_path_factory.mktemp("secrets")
    (folder / "data").mkdir()
    migrated_database.copy_to(folder / "data" / "touchstone.sqlite3")
    place = Installation(folder / "data", sqlite_in(folder / "data"), 1)
    port, log = free_port(), folder / "log"
    environment = {**place.environment, "TOUCHSTONE_LOG_LEVEL": "DEBUG"}
    with serving(environment, port, log, "--no-worker", "--processes", "1"):
        until(lambda: status(port, "/sign-in/") == 200, "the web server")
        link = re.search(r"/first-steps/\S+", log.read_text(encoding="utf-8"))
        assert link
        yield place, port, link[0]


@pytest.fixture(scope="module")
def administrator(served):
    _, port, link = served
    visitor = Visitor(port)
    visitor.post(link, {"name": "root", "password": PASSWORD, "again": PASSWORD})
    assert visitor.get("/account/").url.endswith("/account/")
    return visitor


def secret_in(page: str, pattern: str) -> str:
    found = re.search(pattern, page)
    assert found, page
    return found[1]


@dataclass(frozen=True)
class GivenOut:
    secrets: dict[str, str]
    stored: bytes  # of the database: while links waited for their page, and after all


@pytest.fixture(scope="module")
def given_out(served, administrator) -> GivenOut:
    """Secrets of every kind, as pages give them out, and used in ways that fail."""
    place, port, first_link = served
    people = "/studies/stones/people/"
    administrator.post("/studies/new/", {"title": "Stones", "slug": "stones", "requester": "root"})
    invitation = {"role": "annotator", "n_most": "2", "days": "7", "note": ""}
    waiting = []

    administrator.post(f"{people}invitations/", invitation, follows=False)
    waiting.append(contents(place))
    join = secret_in(administrator.get(f"{people}invitations/").text, r"/join/([\w-]+)/")
    administrator.post("/house/users/new/", {"name": "bob"}, follows=False)
    waiting.append(contents(place))
    ((bob,),) = place.query("SELECT id FROM accounts_user WHERE username = 'bob'")
    page = administrator.get(f"/house/users/{bob}/password-link/").text
    password = secret_in(page, r"/password/([\w-]+)/")
    made = administrator.post("/account/tokens/", {"name": "program", "days": "30"}).text
    token = secret_in(made, r"\b(touchstone_[\w-]{20,})")
    next_page = {"username": "bob", "password": "x", "next": f"/join/{join}/"}
    Visitor(port).post(f"/sign-in/?next=%2Fjoin%2F{join}%2F", next_page)
    for path in (f"/join/{join}/", f"/password/{password}/"):
        Visitor(port).post_without_cookies(path)
        Visitor(port).get(f"{path}nothing")
    secrets = {
        "first steps": first_link.partition("token=")[2],
        "session": administrator.cookie("sessionid"),
        "invitation": join,
        "password link": password,
        "token": token,
    }
    return GivenOut(secrets, b"".join([*waiting, contents(place)]))


@pytest.mark.worker
def test_no_secret_that_pages_give_out_is_in_the_database(given_out):
    stored = given_out.stored

    assert [name for name, secret in given_out.secrets.items() if secret.encode() in stored] == []


@pytest.mark.worker
def test_no_secret_is_in_the_log_at_its_most_talkative(served, given_out):
    place, _, _ = served
    lines = (place.data.parent / "log").read_text(encoding="utf-8").splitlines()
    log = "\n".join(line for line in lines if "The first administrator begins at" not in line)

    assert re.search(r"POST /join/…/ 403 in [\d.]+ ms: CSRF cookie not set\.", log)
    assert re.search(r"POST /password/…/ 403 in [\d.]+ ms: CSRF cookie not set\.", log)
    assert [name for name, secret in given_out.secrets.items() if secret in log] == []


@pytest.mark.worker
def test_a_link_is_shown_once(given_out, administrator):
    page = administrator.get("/studies/stones/people/invitations/").text

    assert given_out.secrets["invitation"] not in page


@pytest.mark.worker
def test_what_is_stored_of_a_session_is_no_cookie(served, administrator):
    place, port, _ = served
    stored = [key for (key,) in place.query("SELECT session_key FROM django_session")]

    replies = []
    for key in stored:
        thief = Visitor(port)
        replies.append(thief.get_with_cookie("/account/", f"sessionid={key}").url)

    assert stored
    assert all("/sign-in/" in url for url in replies)
    assert "/sign-in/" not in administrator.get("/account/").url


@pytest.mark.worker
def test_signing_out_everywhere_ends_every_session(served, administrator):
    _, port, _ = served
    here, there = Visitor(port), Visitor(port)
    for visitor in (here, there):
        visitor.sign_in("root", PASSWORD)

    here.post("/account/sign-out-everywhere/", {})

    assert "/sign-in/" in there.get("/account/").url
    administrator.sign_in("root", PASSWORD)
