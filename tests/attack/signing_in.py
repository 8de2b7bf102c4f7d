"""Sessions, links for one use, locks, and what an answer tells of who there is."""

import statistics
import time
from concurrent.futures import ThreadPoolExecutor

from tests.attack.site import CSRF, PASSWORD, Found, Reply, Site

NEW = "a new pass phrase of nobody"


def _sign_in(site: Site, name: str, password: str, **headers: str) -> Reply:
    fields = {"username": name, "password": password}
    return site.ask("POST", "/sign-in/", fields=fields, headers=headers)


def _session_of(reply: Reply) -> str:
    cookie = reply.headers.get("set-cookie", "")
    return cookie.partition("sessionid=")[2].partition(";")[0]


def _with_session(site: Site, session: str, path: str = "/account/", method: str = "GET") -> Reply:
    headers = {"Cookie": f"sessionid={session}; csrftoken={CSRF}", "X-CSRFToken": CSRF}
    fields = {} if method == "POST" else None
    return site.ask(method, path, csrf=False, headers=headers, fields=fields)


def sessions(site: Site) -> Found:
    found = Found("session fixation, replay after sign-out, sign out everywhere")
    name = site.names["other_annotator"]
    chosen = "f" * 32
    reply = site.ask(
        "POST",
        "/sign-in/",
        fields={"username": name, "password": PASSWORD},
        csrf=False,
        headers={"Cookie": f"sessionid={chosen}; csrftoken={CSRF}", "X-CSRFToken": CSRF},
    )
    first = _session_of(reply)
    found.tried(first not in ("", chosen), "the session that was sent is kept")
    found.tried(_with_session(site, chosen).status == 302, "the session that was sent is signed in")
    second = _session_of(_sign_in(site, name, PASSWORD))
    found.tried(_with_session(site, first).status == 200, "the session does not work")
    _with_session(site, first, "/sign-out/", "POST")
    found.tried(_with_session(site, first).status == 302, "a session lives after its end")
    found.tried(_with_session(site, second).status == 200, "the other session ended too")
    _with_session(site, second, "/account/sign-out-everywhere/", "POST")
    found.tried(
        _with_session(site, second).status == 302, "a session outlives signing out everywhere"
    )
    return found


def once(site: Site) -> Found:
    """Links for one use, by many at the same moment."""
    found = Found("a link for one person, 20 at once; a password link, 10 at once")

    def join(n: int) -> Reply:
        fields = {"name": f"late{n}", "password": NEW, "again": NEW, "text": site.consent}
        return site.ask("POST", site.join, fields=fields)

    before = site.installation.count("accounts_user")
    with ThreadPoolExecutor(20) as together:
        list(together.map(join, range(20)))
    n_new = site.installation.count("accounts_user") - before
    for _ in range(20):
        found.tried(n_new == 1, f"{n_new} joined by a link for one")

    # Fewer pass phrases than wrong ones that shut a name out, so each can be tried afterwards.
    passphrases = [f"{NEW} {n}" for n in range(4)]

    def set_password(n: int) -> Reply:
        passphrase = passphrases[n % len(passphrases)]
        fields = {"password": passphrase, "again": passphrase}
        return site.ask("POST", site.password_link, fields=fields)

    with ThreadPoolExecutor(10) as together:
        list(together.map(set_password, range(10)))
    [(n_set,)] = site.installation.query(
        "SELECT count(*) FROM audit_event WHERE verb = 'set a password by a link'"
    )
    name = site.names["annotator"]
    works = [p for p in passphrases if _sign_in(site, name, p).status == 302]
    for _ in range(10):
        found.tried(n_set == 1, f"{n_set} passwords were set by a link for one")
    found.tried(len(works) == 1, f"{len(works)} passwords work")
    return found


def lock(site: Site) -> Found:
    """Five wrong passwords shut a name out, whatever a request says of where it comes from."""
    found = Found("the lock: spoofed addresses, ports, names written otherwise")
    name = site.names["other_requester"]
    ways = (
        [{"X-Forwarded-For": f"198.51.100.{n}"} for n in range(10)]
        + [{"X-Forwarded-For": f"127.0.0.1:{n}"} for n in range(5)]
        + [{"Forwarded": f"for=198.51.100.{n}"} for n in range(5)]
        + [{"X-Real-IP": f"198.51.100.{n}"} for n in range(5)]
        + [
            {"X-Client-IP": f"198.51.100.{n}", "True-Client-IP": f"198.51.100.{n}"}
            for n in range(5)
        ]
    )
    for n in range(5):
        _sign_in(site, name, f"wrong {n}")
    for headers in ways:
        reply = _sign_in(site, name, PASSWORD, **headers)
        found.tried(reply.status != 302, f"signed in past the lock with {headers}")
    wide = "".join(chr(ord(c) + 0xFEE0) for c in name)
    for written in (
        name.upper(),
        name.title(),
        f" {name}",
        f"{name} ",
        f"{name}\t",
        wide,
        f"{name}\x00",
        f"\ufeff{name}",
    ):
        reply = _sign_in(site, written, PASSWORD)
        found.tried(reply.status != 302, f"signed in past the lock as {written!r}")
    return found


def enumeration(site: Site) -> Found:
    """An answer to a wrong password says nothing of whether there is such a person, by text and time."""
    found = Found("who there is, by text and time of an answer")
    seconds: dict[str, list[float]] = {"there": [], "not there": []}
    texts = set()
    for n in range(13):
        for kind, name in (("there", site.names["adjudicator"]), ("not there", "nobody")):
            if n and n % 3 == 0:
                continue  # below the lock
            begun = time.perf_counter()
            reply = _sign_in(site, name if n < 4 else f"{name}{n}", f"wrong {n}")
            seconds[kind].append(time.perf_counter() - begun)
            text = reply.text.replace(name, "NAME")
            texts.add((reply.status, "".join(c for c in text if not c.isdigit())[-2000:]))
            found.tried(reply.status == 200, f"{kind}: {reply.status}")
    there, not_there = (statistics.median(each) for each in seconds.values())
    found.tried(0.5 < there / not_there < 2, f"medians {there:.3f} s and {not_there:.3f} s")
    found.tried(len({status for status, _ in texts}) == 1, f"{len(texts)} different answers")
    return found
