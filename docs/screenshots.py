"""Pictures of the main pages, for the README and docs/pages.md: `make screenshots`.

The demonstration is built in a folder of its own with activity of people, and served; each page is taken
wide, on a phone and in the dark, into docs/screenshots/. What was there before is replaced.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser import chromium, demonstration_server  # noqa: E402  the tests know how the demonstration is served

FOLDER = ROOT / "docs" / "screenshots"
LARGEST = 150_000  # bytes of one picture: they are kept with the code
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
# What a picture's name ends with, the window, the colours.
LOOKS = (("", WIDE, "light"), ("-phone", PHONE, "light"), ("-dark", WIDE, "dark"))


@dataclass(frozen=True)
class Shot:
    """A page: who sees it, where it is, and the link that leads on to it from there, if one does."""

    name: str
    person: str
    address: str
    link: str = ""


SHOTS = (
    Shot("study", "alice", "/studies/demo/"),
    Shot("import", "alice", "/studies/demo/jobs/", "tbody a:text-is('Check runs')"),
    Shot("sampling", "alice", "/studies/demo/pools/new/"),
    Shot("batch", "alice", "/studies/demo/batches/", "a:text-is('first round')"),
    Shot("release", "alice", "/studies/rehearsed/releases/1/"),
    Shot("work", "bob", "/work/"),
    Shot("desk", "bob", "/work/", "a:has-text('Continue')"),
    Shot("dispute", "carol", "/studies/demo/disputes/", "tbody a"),
)


@contextmanager
def launched() -> Iterator[Browser]:
    found = chromium.path()
    if found is None:
        sys.exit(chromium.HOW)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


def take(page: Page, shot: Shot) -> list[Path]:
    page.goto(shot.address)
    if shot.link:
        page.locator(shot.link).first.click()
    page.wait_for_load_state("networkidle")  # parts that a page fetches when it is opened
    taken = []
    for ending, window, colours in LOOKS:
        page.set_viewport_size(window)
        page.emulate_media(color_scheme=colours)
        path = FOLDER / f"{shot.name}{ending}.png"
        page.screenshot(path=path)
        taken.append(path)
    page.set_viewport_size(WIDE)
    page.emulate_media(color_scheme="light")
    return taken


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    sys.stdout.write("Building the demonstration: this takes about a minute\n")
    pictures = []
    with (
        tempfile.TemporaryDirectory() as folder,
        launched() as browser,
        demonstration_server.serve_demonstration(Path(folder)) as demonstration,
    ):
        for person in dict.fromkeys(shot.person for shot in SHOTS):
            context = browser.new_context(
                base_url=demonstration.url, viewport=WIDE, reduced_motion="reduce"
            )
            page = context.new_page()
            demonstration_server.sign_in(page, person)
            for shot in (shot for shot in SHOTS if shot.person == person):
                pictures += take(page, shot)
            context.close()
    for path in pictures:
        size = path.stat().st_size
        sys.stdout.write(f"{path.relative_to(ROOT)}  {size / 1000:.0f} kB\n")
        if size > LARGEST:
            sys.exit(f"{path.name} is larger than {LARGEST / 1000:.0f} kB")


if __name__ == "__main__":
    main()
