"""The transfer of an annotator's first visit to the desk, as Chromium counts it.

    python -m bench.first_load

For each scheme, with the texts of tests/browser/hard_items.py, an empty cache, and the server as `make run`
starts it: bytes on the wire with the heads of the replies, compressed as the server does it. *First load* is
all that the browser fetches for the page. The items that the desk's script fetches ahead are counted apart.
"""

import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from bench.load.places import sqlite
from bench.load.serving import serving
from tests.browser import chromium

N_ITEMS = 30
KINDS = ("Document", "Stylesheet", "Script")  # as the browser calls them
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


def main() -> None:
    with (
        tempfile.TemporaryDirectory(prefix="touchstone-first-load-") as folder,
        served_desks(Path(folder)) as desks,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=chromium.path(), args=("--no-sandbox", "--disable-gpu")
        )
        print(
            "| scheme | requests | page | style sheets | scripts | first load, KB | items ahead, KB |"
        )
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        for scheme, address in desks.addresses.items():
            print(_row(scheme, _first_visit(browser, desks, address)), flush=True)
        browser.close()


@contextmanager
def served_desks(folder: Path) -> Iterator[Desks]:
    with sqlite(folder) as place:
        place.run("manage.py", "migrate", "--verbosity", "0")
        made = json.loads(place.run("-m", "bench.desk_effort.fill", str(N_ITEMS)))
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


def _first_visit(browser: Browser, desks: Desks, address: str) -> list[Transfer]:
    context = browser.new_context()
    context.add_cookies([desks.cookie])  # type: ignore[list-item]
    found = transfers(context.new_page(), address)
    context.close()
    return found


def _row(scheme: str, found: Sequence[Transfer]) -> str:
    by_kind = {
        kind: sum(each.n_bytes for each in found if each.kind == kind) for kind in (*KINDS, AHEAD)
    }
    n = sum(each.kind != AHEAD for each in found)
    parts = [by_kind[kind] for kind in KINDS] + [first_load(found), by_kind[AHEAD]]
    return f"| {scheme} | {n} | {' | '.join(f'{each / 1000:.1f}' for each in parts)} |"


if __name__ == "__main__":
    main()
