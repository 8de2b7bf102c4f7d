"""Waiting for what a page's script or the browser itself does; the pages' policy forbids wait_for_function."""

import time

from playwright.sync_api import Page

LONGEST = 20  # seconds


def wait_until(page: Page, expression: str) -> None:
    """Until the JavaScript expression is true."""
    deadline = time.monotonic() + LONGEST
    while not page.evaluate(expression):
        assert time.monotonic() < deadline, f"never true: {expression}"
        page.wait_for_timeout(20)
