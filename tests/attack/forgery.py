"""Requests in somebody else's name: without the token of a form, from elsewhere, by another method."""

import http.client

from tests.attack.site import CSRF, Found, Site

PEOPLE = ("annotator", "adjudicator", "requester", "administrator")
FOREIGN = {"Origin": "https://elsewhere.example"}
ODD_METHODS = ("PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PROPFIND", "FOO")
AWAY = (
    "https://elsewhere.example/",
    "//elsewhere.example/",
    "///elsewhere.example/",
    "/\\elsewhere.example/",
    "\\\\elsewhere.example",
    "https:elsewhere.example",
    "https:///elsewhere.example",
    "http://127.0.0.1@elsewhere.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    "/\t/elsewhere.example/",
    "/%2F/elsewhere.example",
    "%2F%2Felsewhere.example",
    " https://elsewhere.example/",
    "https://elsewhere.example\r\nX: y",
    "/\N{FULLWIDTH SOLIDUS}elsewhere.example",
    "///\\elsewhere.example",
    "/..//elsewhere.example",
    "ftp://elsewhere.example/",
    "//elsewhere.example:80\\@127.0.0.1/",
)


def leads_away(location: str) -> bool:
    """Whether a browser that gets this address goes to another host or scheme."""
    address = location.strip().replace("\\", "/")
    return address.startswith("//") or (":" in address.split("/")[0])


def without_a_token(site: Site) -> Found:
    found = Found("POST without a form's token, a wrong one, from a foreign and from no origin")
    before = site.counts()
    ways: list[tuple[str, dict[str, str], bool]] = [
        ("no token", {}, False),
        ("wrong token", {"X-CSRFToken": "b" * 32, "Cookie": ""}, True),
        ("foreign origin", FOREIGN, True),
        ("null origin", {"Origin": "null"}, True),
    ]
    for target in site.targets:
        for person in PEOPLE:
            for name, headers, csrf in ways:
                sent = dict(headers)
                if "Cookie" in sent:
                    sent["Cookie"] = f"sessionid={site.sessions[person]}; csrftoken={CSRF}"
                reply = site.ask(
                    "POST", target.path, person=person, fields={}, headers=sent, csrf=csrf
                )
                right = reply.status in (403, 404, 405)
                found.tried(right, f"{target.name} as {person}, {name}: {reply.status}")
    found.tried(site.counts() == before, "rows were written")
    return found


def odd_methods(site: Site) -> Found:
    found = Found("odd methods and methods that headers and fields name")
    before = site.counts()
    for target in site.targets:
        for method in ODD_METHODS:
            try:
                reply = site.ask(method, target.path, person="requester", csrf=False)
            except http.client.HTTPException as error:
                found.tried(isinstance(error, http.client.BadStatusLine), f"{method}: {error!r}")
                continue
            right = 300 <= reply.status < 500 or reply.status == 501
            found.tried(right, f"{method} {target.name}: {reply.status}")
        reply = site.ask(
            "GET",
            f"{target.path}?_method=DELETE",
            person="requester",
            headers={"X-HTTP-Method-Override": "DELETE"},
        )
        found.tried(
            reply.status < 500 or "health" in target.name, f"override {target.name}: {reply.status}"
        )
    found.tried(site.counts() == before, "rows were written")
    return found


def ways_out(site: Site) -> Found:
    """Redirects that lead to another host, and links that a forged host would poison."""
    found = Found("next, Referer, Host, X-Forwarded-Host, Forwarded")
    for where in AWAY:
        fields = {"username": site.names["requester"], "password": "correct horse", "next": where}
        reply = site.ask("POST", "/sign-in/", fields=fields)
        found.tried(
            reply.status in (200, 302) and not leads_away(reply.location),
            f"next={where!r} leads to {reply.location!r}",
        )
        if where.isascii() and "\r" not in where and "\t" not in where:
            reply = site.ask(
                "POST",
                f"/studies/{site.study}/",
                person="requester",
                fields={},
                headers={"Referer": where},
            )
            found.tried(not leads_away(reply.location), f"Referer {where!r}: {reply.location!r}")
    for name in ("X-Forwarded-Host", "Forwarded", "X-Host", "X-Original-URL", "X-Rewrite-URL"):
        for value in ("elsewhere.example", "host=elsewhere.example", "/house/"):
            reply = site.ask("GET", "/sign-in/", headers={name: value})
            found.tried(
                reply.status == 200 and "elsewhere" not in reply.text + reply.location,
                f"{name}: {value}",
            )
    for value in (
        "elsewhere.example",
        "127.0.0.1.elsewhere.example",
        "127.0.0.1@elsewhere.example",
        "x y",
        "",
    ):
        reply = site.ask("GET", "/sign-in/", headers={"Host": value})
        found.tried(reply.status == 400, f"Host: {value!r}: {reply.status}")
    return found
