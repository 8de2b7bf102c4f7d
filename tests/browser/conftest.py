"""A real browser against a real server: Chromium, driven by Playwright.

With CI_RERUN_BROWSER=1 a test that fails is run once more (pytest-rerunfailures); if it passes then, the
summary names it (tests/flaky.py).
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from accounts.models import User
from tests.browser import chromium

# Playwright keeps an event loop in this thread; the tests use the database from it all the same.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

# A wait that is in vain fails a test; one that is cut short on a busy machine must not.
LONGEST = 20_000  # milliseconds
expect.set_options(timeout=LONGEST)

# One process for all pages of a site, and none that draws by graphics hardware: they start faster.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-site-isolation-trials",
    "--process-per-site",
    "--renderer-process-limit=1",
)

WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


HERE = Path(__file__).parent
RERUNS = 1 if os.environ.get("CI_RERUN_BROWSER") == "1" else 0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What lies here drives pages."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.browser)
            if RERUNS:
                item.add_marker(pytest.mark.flaky(reruns=RERUNS))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = chromium.path()
    if found is None:
        pytest.fail(chromium.HOW, pytrace=False)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture
def context(browser: Browser, live_server) -> Iterator[BrowserContext]:
    opened = browser.new_context(
        base_url=live_server.url,
        viewport=WIDE,
        reduced_motion="reduce",
        service_workers="block",  # requests are intercepted; tests/browser/test_desk_offline.py has one
    )
    opened.set_default_timeout(LONGEST)
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page on which nothing goes wrong unseen: errors of scripts and of the policy fail the test."""
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error.stack)))
    opened.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    yield opened
    assert wrong == []


@pytest.fixture
def touched(browser: Browser, context: BrowserContext, live_server) -> Iterator[Callable[[], Page]]:
    """A function that opens a page on a touch phone, signed in as the other pages are."""
    phones: list[BrowserContext] = []

    def opened() -> Page:
        phone = browser.new_context(
            base_url=live_server.url,
            storage_state=context.storage_state(),
            viewport=PHONE,
            has_touch=True,
            is_mobile=True,
            reduced_motion="reduce",
        )
        phones.append(phone)
        return phone.new_page()

    yield opened
    for phone in phones:
        phone.close()


@pytest.fixture
def sign_in(context: BrowserContext, live_server) -> Callable[[User], None]:
    """Signed in without the form, which has tests of its own."""

    def as_person(user: User) -> None:
        client = Client()
        client.force_login(user, backend="accounts.backends.RealPeopleBackend")
        cookie = client.cookies[settings.SESSION_COOKIE_NAME]
        for opened in context.pages:  # what a page still fetches is fetched as who opened it
            opened.wait_for_load_state("networkidle")
        context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": live_server.url}])

    return as_person
