"""What no browser of ours sends: to the desk, to forms, to lists, to the API."""

import itertools
import json
import random
import urllib.parse
from typing import Any

from tests.attack.site import Found, Site

VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 1e308, 10**400, "", "x", "\x00", "\ud800", "9" * 400, [], {}, [[]], {"": {}},
    ["x"] * 1000, {"a": {"a": {"a": {}}}}, "\N{RIGHT-TO-LEFT OVERRIDE}", "' OR 1=1 --", "../../etc/passwd", "%00", "NaN",
)  # fmt: skip
TEXTS = (
    "", "0", "-1", "1e9", "9" * 30, "9" * 5000, "x" * 60_000, "\x00", "%00", "' OR 1=1 --", "../..", "\N{CJK UNIFIED IDEOGRAPH-4E2D}" * 500,
    "\ud7ff", "NaN", "inf", "1,2", "[]", "{}", "on", "\N{RIGHT-TO-LEFT OVERRIDE}", "\r\nX: y", "a" * 255 + "b", "__all__", "id__in",
)  # fmt: skip
LIST_FIELDS = ("q", "page", "sort", "state", "label", "limit", "part", "threshold", "dataset")
BODIES = (
    b"", b"[]", b"{}", b"null", b"{", b"[" * 5000, b'{"a":' * 2000, b"\xff\xfe", b'"\\ud800"', b"1e400",
    b'{"submissions": 1}', b'{"submissions": [1], "ahead": {}, "wanted": "x"}',
)  # fmt: skip


def desk(site: Site) -> Found:
    found = Found("nonsense to the desk's data request")
    address = f"{site.desk}feed/"
    rng = random.Random(16)
    fields = (
        "assignment",
        "client_id",
        "response",
        "comment",
        "shown_at",
        "active_seconds",
        "label",
    )
    bodies = list(BODIES)
    for value in VALUES:
        bodies += [
            json.dumps({"submissions": [{field: value}], "ahead": [], "wanted": 0}).encode()
            for field in fields
        ]
        bodies += [
            json.dumps({field: value}).encode() for field in ("submissions", "ahead", "wanted")
        ]
    for _ in range(100):
        submission = {field: rng.choice(VALUES) for field in fields}
        sent = {
            "submissions": [submission] * rng.randint(1, 3),
            "ahead": rng.choice(VALUES),
            "wanted": rng.choice(VALUES),
        }
        bodies.append(json.dumps(sent).encode())
    before = site.installation.count("annotation_judgement")
    for body in bodies:
        reply = site.ask(
            "POST",
            address,
            person="annotator",
            body=body,
            headers={"Content-Type": "application/json"},
        )
        found.tried(reply.status < 500, f"{body[:100]!r}: {reply.status}")
    found.tried(site.installation.count("annotation_judgement") == before, "a judgement was stored")
    return found


def lists_and_forms(site: Site) -> Found:
    found = Found("nonsense to lists and forms")
    rng = random.Random(17)
    for target in site.targets:
        if target.name in ("sign_out", "sign_out_everywhere") or "health" in target.name:
            continue
        for field, text in zip(rng.sample(LIST_FIELDS, 4), rng.sample(TEXTS, 4), strict=True):
            reply = _asked(site, "GET", target.path, {field: text})
            found.tried(reply < 500, f"GET {target.name}?{field}={text[:40]!r}: {reply}")
        sent = {
            field: rng.choice(TEXTS)
            for field in ("name", "title", "reason", "label", "number", "action", "upload")
        }
        reply = _asked(site, "POST", target.path, sent)
        found.tried(reply < 500, f"POST {target.name}: {reply}")
    return found


def _asked(site: Site, method: str, path: str, fields: dict[str, str]) -> int:
    encoded = {key: value.encode("utf-8", "surrogatepass") for key, value in fields.items()}
    if method == "GET":
        query = urllib.parse.urlencode(encoded)
        return site.ask("GET", f"{path}?{query}", person="requester").status
    return site.ask("POST", path, person="requester", fields=encoded).status


def api(site: Site) -> Found:
    """Tokens that are none, bodies of the wrong form, names of files that lead out of a folder."""
    found = Found("the API: tokens, bodies, traversal, huge ids")
    study = f"/api/v1/studies/{site.study}/"
    if (
        site.ask("GET", study, headers={"Authorization": f"Bearer {site.token}"}, csrf=False).status
        != 200
    ):
        found.tried(False, f"{study} does not answer with the right token")
    for header in (
        "Bearer", "Bearer ", "Bearer none", f"Token {site.token}", f"Bearer {site.token}x", f"Bearer {site.token[:-1]}",
        f"Bearer {site.token} x", "Basic YTpi", f"bearer\t{site.token}x", "Bearer " + "x" * 8000, site.token, "Bearer \xff",
    ):  # fmt: skip
        reply = site.ask("GET", study, headers={"Authorization": header}, csrf=False)
        found.tried(reply.status in (401, 403), f"{header[:20]}…: {reply.status}")
    files = (
        "../manifest.json", "..%2f..%2fsecret_key", "%2e%2e/secret_key", "/etc/passwd", "gold.json/..", "gold.json%00", "....//secret_key",
        "%252e%252e%252fsecret_key", "\\..\\secret_key", "guidelines/../../secret_key", "gold.json/", ".", "..", "~",
    )  # fmt: skip
    for root in (
        f"{study}releases/1/files/",
        f"/studies/{site.study}/releases/1/files/",
        "/static/",
    ):
        for name in files:
            reply = site.ask(
                "GET",
                root + name,
                headers={"Authorization": f"Bearer {site.token}"},
                person="requester",
            )
            right = reply.status in (301, 302, 400, 403, 404)
            found.tried(right, f"{root}{name}: {reply.status}")
    posts = [
        each for each in site.targets if each.name.startswith("api_") and each.method == "POST"
    ]
    for target, body in itertools.product(posts, BODIES):
        headers = {"Authorization": f"Bearer {site.token}", "Content-Type": "application/json"}
        reply = site.ask("POST", target.path, body=body, headers=headers, csrf=False)
        found.tried(reply.status < 500, f"{target.name}, {body[:30]!r}: {reply.status}")
    return found
