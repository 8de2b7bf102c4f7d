"""The whole way by the pages, in Chromium against `serve` with its worker, and once more without a page.

alice takes the link that the server printed, makes a study, imports data set and runs, scores, draws a pool
and opens a batch; bob and dora come by an invitation and judge by keyboard; what they disagree on carol
settles by keyboard; then the same for faithfulness, and the release is downloaded. The headless way
(headless.py) does the same by commands and actions on a database of its own. Both databases are of the kind
that DATABASE_URL names, and the broker is that of BROKER_URL.

The release that was downloaded holds the same bytes as one that the command makes of the same work. What the
two ways have in common is compared too, to the byte where nothing stands between. Two ways gone by people
cannot share
- the ids of items and of claims: they are random, so that no address can be guessed. Here an item is called
  by its batch and its answer, and rows are sorted anew;
- times: when a screen was shown, a judgement submitted, a verdict given, an answer accepted, how long
  somebody was active, and what the report sums up of that (`active_time`); when the release was made.
The files without either are equal byte by byte; the others in everything else.
"""

import contextlib
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser import journey_by_pages, small_dataset
from tests.browser.conftest import WIDE
from tests.browser.demonstration_server import sign_in
from tests.browser.headless import DATASET, STUDY
from tests.browser.release_folder import SAME_BYTES, ReleaseFolder, is_same_bytes
from tests.config.serving import free_port, serving, until
from tests.jobs.installation import ROOT, Installation, database

pytestmark = pytest.mark.journey


@dataclass(frozen=True)
class Journey:
    """Both ways; of the first one what was done by keyboard, and what browsers complained of."""

    by_pages: ReleaseFolder
    by_command: ReleaseFolder  # of the work that was done by the pages
    headless: ReleaseFolder
    n_judged: dict[str, int]
    n_settled: dict[str, int]
    errors: list[str]


class Browsers:
    """One for each person, watched."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser, self._url = browser, url
        self._contexts: list[BrowserContext] = []
        self.errors: list[str] = []

    def of(self, name: str) -> Page:
        context = self._browser.new_context(
            base_url=self._url, viewport=WIDE, reduced_motion="reduce"
        )
        self._contexts.append(context)
        context.set_default_timeout(30_000)
        # A digit submits at once, without the beat that eyes want.
        context.add_init_script("localStorage['touchstone.desk'] ??= '{\"beat\": 0}'")
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(f"{name}: {error}"))
        page.on(
            "console",
            lambda said: (
                self.errors.append(f"{name}: {said.text}") if said.type == "error" else None
            ),
        )
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture(scope="module")
def journey(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Journey]:
    data = small_dataset.write_dataset(tmp_path_factory.mktemp("small") / "data")
    here, there = tmp_path_factory.mktemp("by-hand"), tmp_path_factory.mktemp("headless")
    with database(here) as url, database(there) as other:
        out = there / "release"
        with ThreadPoolExecutor() as beside:
            without_page = Installation(there, other, wake_seconds=1)
            headless = beside.submit(go_headless, without_page, data, out)
            gone = go_by_pages(Installation(here, url, wake_seconds=1), browser, data)
            headless.result()
        yield Journey(headless=ReleaseFolder(out), **gone)


def go_headless(installation: Installation, data: Path, out: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.browser.headless", str(data), str(out)],
        env=installation.environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]


def go_by_pages(installation: Installation, browser: Browser, data: Path) -> dict[str, Any]:
    port, log = free_port(), installation.data / "serve.log"
    with serving(installation.environment, port, log):
        link = until(lambda: first_link(log), "the link of the first administrator")
        browsers = Browsers(browser, f"http://127.0.0.1:{port}")
        with contextlib.closing(browsers):
            n_judged, n_settled = walk_pages(
                browsers, link, data, installation.data / "release.zip"
            )
    with zipfile.ZipFile(installation.data / "release.zip") as packed:
        packed.extractall(installation.data / "unpacked")
    (folder,) = (installation.data / "unpacked").iterdir()
    by_command = installation.data / "by-command"
    of_dataset = ("--study", STUDY, "--dataset", DATASET)
    installation.run(["release", *of_dataset, "--out", by_command])
    return {
        "by_pages": ReleaseFolder(folder),
        "by_command": ReleaseFolder(by_command),
        "n_judged": n_judged,
        "n_settled": n_settled,
        "errors": browsers.errors,
    }


def first_link(log: Path) -> str | None:
    found = re.search(r"begins at (http\S+)", log.read_text(encoding="utf-8"))
    return found and found[1]


def walk_pages(
    browsers: Browsers, link: str, data: Path, packed: Path
) -> tuple[dict[str, int], dict[str, int]]:
    """How many judgements and adjudications there were, by scheme."""
    alice, bob, carol, dora = (browsers.of(name) for name in ("alice", "bob", "carol", "dora"))
    journey_by_pages.become_administrator(alice, link)
    sign_in(alice, "alice", journey_by_pages.PASSWORD)
    journey_by_pages.create_study(alice)
    journey_by_pages.join(
        carol, journey_by_pages.create_invitation(alice, "Adjudicator", 1), "carol"
    )
    both = journey_by_pages.create_invitation(alice, "Annotator", 2)
    journey_by_pages.join(bob, both, "bob")
    journey_by_pages.join(dora, both, "dora")
    journey_by_pages.import_data(alice, data)
    journey_by_pages.compute_scores(alice)
    journey_by_pages.draw_pool(alice)

    n_judged, n_settled = {}, {}
    for scheme in ("plausibility", "faithfulness"):
        if scheme == "faithfulness":
            journey_by_pages.find_evidence(alice, "plausibility")
        journey_by_pages.open_batch(alice, scheme)
        n_judged[scheme] = journey_by_pages.judge_all_items(bob, scheme, doubts=False)
        n_judged[scheme] += journey_by_pages.judge_all_items(dora, scheme, doubts=True)
        journey_by_pages.close_and_settle(alice, scheme)
        n_settled[scheme] = journey_by_pages.adjudicate_all_disputes(carol, scheme)
    journey_by_pages.download_release(alice, packed)
    return n_judged, n_settled


def test_every_judgement_and_every_end_of_a_dispute_came_by_keyboard(journey):
    batches = {batch["scheme"]: batch for batch in journey.by_pages.json("report.json")["batches"]}

    for scheme, batch in batches.items():
        assert journey.n_judged[scheme] == batch["n_judgements"]["counted"] > 20
        assert journey.n_settled[scheme] == batch["sources"]["adjudication"] > 0
    assert batches.keys() == {"plausibility", "faithfulness"}


def test_no_browser_complained(journey):
    assert journey.errors == []


def test_the_download_is_what_the_command_releases_byte_by_byte(journey):
    names = journey.by_pages.names() - {"manifest.json"}

    assert journey.by_pages.names() == journey.by_command.names()
    assert {name: journey.by_pages.digest(name) for name in names} == {
        name: journey.by_command.digest(name) for name in names
    }
    assert journey.by_command.manifest() == {**journey.by_pages.manifest(), "release": 2}


def test_both_ways_release_the_same_files(journey):
    assert journey.by_pages.names() == journey.headless.names() > {*SAME_BYTES, "gold.json"}


def test_files_without_ids_and_times_are_equal_byte_by_byte(journey):
    names = [name for name in journey.by_pages.names() if is_same_bytes(name)]

    assert len(names) == len(SAME_BYTES) + 2  # two guidelines
    assert {name: journey.by_pages.digest(name) for name in names} == {
        name: journey.headless.digest(name) for name in names
    }


@pytest.mark.parametrize("name", ["gold.json", "silver.json"])
def test_the_same_answers_are_accepted_on_the_same_grounds(journey, name):
    assert journey.by_pages.extended(name) == journey.headless.extended(name)


@pytest.mark.parametrize("name", ["items.csv", "judgements.csv", "soft_labels.csv"])
def test_the_rows_differ_in_ids_and_times_alone(journey, name):
    assert journey.by_pages.table(name) == journey.headless.table(name)


def test_the_numbers_of_the_report_are_the_same(journey):
    assert journey.by_pages.report() == journey.headless.report()


def test_the_manifests_tell_of_the_same_settings_and_sources(journey):
    assert journey.by_pages.manifest() == journey.headless.manifest()
