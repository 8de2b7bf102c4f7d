"""Accessibility rules (WCAG 2.2 AA and axe's best practices), checked in the browser."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

OPTIONS = {"runOnly": RULES, "resultTypes": ["violations"]}  # what passes need not be described

# Of a long table the first rows are looked at: the others are like them, and half of the time goes into their colours.
CONTEXT = {"exclude": ["tbody > tr:nth-child(n + 13)"]}

_RUN = """async ([context, options]) => {
    const found = await axe.run(context, options);
    return found.violations.flatMap((each) =>
        each.nodes.map((node) => `${each.id}: ${each.help}: ${node.html}`)
    );
}"""


def violations(page: Page) -> list[str]:
    """What axe finds wrong on the page as it is now, a line each."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(_RUN, [CONTEXT, OPTIONS])
    return found
