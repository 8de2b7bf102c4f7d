"""Accessibility rules (WCAG 2.2 AA and axe's best practices), checked in the browser."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

OPTIONS = {"runOnly": RULES, "resultTypes": ["violations"]}  # what passes need not be described


def violations(page: Page) -> list[str]:
    """What axe finds wrong on the page as it is now, a line each."""
    found = Axe().run(page, options=OPTIONS)
    return [
        f"{each['id']}: {each['help']}: {node['html']}"
        for each in found.response["violations"]
        for node in each["nodes"]
    ]
