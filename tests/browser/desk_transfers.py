"""The transfer of an annotator's first visit to the desk, as Chromium counts it, of each scheme."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from bench.load.places import sqlite
from bench.load.serving import serving

N_ITEMS = 30
AHEAD = "Fetch"


@dataclass(frozen=True)
class Transfer:
    address: str
    kind: str
    n_bytes: int  # with the head of the reply


@dataclass(frozen=True)
class Desks:
    """An annotator's desks, by scheme, and the cookie that signs the annotator in."""

    addresses: dict[str, str]
    cookie: dict[str, str]


@contextmanager
def served_desks(folder: Path) -> Iterator[Desks]:
    with sqlite(folder) as place:
        place.run("manage.py", "migrate", "--verbosity", "0")
        made = json.loads(place.run("-m", "tests.browser.fill_desks", str(N_ITEMS)))
        with serving(place, [], "") as server:
            here = f"http://127.0.0.1:{server.port}"
            yield Desks(
                {
                    scheme: f"{here}/studies/effort/desk/{batch}/"
                    for scheme, batch in made["batches"].items()
                },
                {"name": made["cookie"], "value": made["session"], "url": here},
            )


def transfers(page: Page, address: str) -> list[Transfer]:
    """Open the address; return what the page transfers until it wants nothing more."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    requested: dict[str, tuple[str, str]] = {}
    finished: dict[str, int] = {}

    def note_request(event: Any) -> None:
        requested[event["requestId"]] = (event["request"]["url"], event["type"])

    def note_end(event: Any) -> None:
        finished[event["requestId"]] = round(event["encodedDataLength"])

    session.on("Network.requestWillBeSent", note_request)
    session.on("Network.loadingFinished", note_end)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    return [Transfer(*requested[number], n_bytes) for number, n_bytes in finished.items()]


def first_load(found: Sequence[Transfer]) -> int:
    return sum(each.n_bytes for each in found if each.kind != AHEAD)
