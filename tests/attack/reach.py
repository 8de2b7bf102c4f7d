"""Everybody asks for everything: own things, another study's, things that are not there."""

import re
from collections.abc import Iterator

from tests.attack.site import Found, Reply, Site, Target
from tests.config.raw_http import Connection, NotAReplyError

REFUSALS = (401, 403, 404, 405)
NO_NUMBER, NO_ID = "999999999", "00000000-0000-0000-0000-000000000000"
# What these do ends the session that the attack itself uses.
ENDING = {"sign_out", "sign_out_everywhere"}
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def is_refused(site: Site, reply: Reply, person: str) -> bool:
    """Whether it is a refusal, or leads to signing in or to a refusal."""
    if reply.status == 302 and "/sign-in/" not in reply.location:
        reply = site.ask("GET", reply.location, person=person)
        return reply.status in REFUSALS or (reply.status == 302 and "/sign-in/" in reply.location)
    return reply.status in REFUSALS or reply.status == 302


def every_address(site: Site) -> Found:
    """First all who must be refused, so that nothing has changed by then; then all others."""
    found = Found("every address by everybody, GET and POST, own and other studies' things")
    for target in site.targets:
        for person, must in target.expected.items():
            for method in ("GET", "POST"):
                if must in (401, 403, 404) or (must == 302 and person == "anonymous"):
                    reply = site.send(target, target.path, method, person)
                    is_its = method == target.method
                    right = reply.status == must if is_its else 300 <= reply.status < 500
                    found.tried(right, f"{method} {target.name} as {person}: {reply.status}")
                for path in _not_there(target):
                    reply = site.send(target, path, method, person)
                    right = is_refused(site, reply, person)
                    found.tried(right, f"{method} {path} as {person}: {reply.status}")
    for target in site.targets:
        for person, must in target.expected.items():
            if must in (401, 403, 404) or target.name in ENDING:
                continue
            for method in ("GET", "POST"):
                reply = site.send(target, target.path, method, person)
                right = reply.status < 500 or "health" in target.name
                found.tried(right, f"{method} {target.name} as {person}: {reply.status}")
    return found


def _not_there(target: Target) -> Iterator[str]:
    """Its address under another study, and with a number or an id that nothing has."""
    if target.elsewhere:
        yield target.elsewhere
    path = re.sub(r"/\d+(?=/)", f"/{NO_NUMBER}", UUID.sub(NO_ID, target.path))
    if path != target.path:
        yield path


def heads(site: Site) -> Found:
    """Ask for the headers of everything, as everybody: a kept connection carries nothing else."""
    found = Found("HEAD of every address by everybody on kept connections, an icon after each")
    icon = "/static/icon.svg"
    with Connection(site.port) as first:
        first.send("GET", icon)
        expected = first.read("GET").body
    for person in ("anonymous", *site.sessions):
        cookie = [] if person == "anonymous" else [f"Cookie: sessionid={site.sessions[person]}"]
        connection = Connection(site.port)
        for target in site.targets:
            connection.send("HEAD", target.path, *cookie)
            connection.send("GET", icon)
            try:
                connection.read("HEAD")
                right = connection.read("GET").body == expected
            except (NotAReplyError, EOFError, OSError):
                connection.close()
                connection, right = Connection(site.port), False
            found.tried(right, f"HEAD {target.path} as {person}")
        connection.close()
    return found
