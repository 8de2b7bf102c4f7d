"""Keys that a page's script hears."""

from playwright.sync_api import Page

# The script of the page is the last of it, and takes a key that comes sooner for one of the page before.
_IS_LOOKED_AT = """() => {
    const [loaded] = performance.getEntriesByType("navigation");
    return loaded.loadEventEnd > 0 && performance.now() - loaded.domContentLoadedEventEnd > 250;
}"""


def press(page: Page, key: str) -> None:
    """Once all of the page is there and somebody can have looked at it."""
    page.wait_for_function(_IS_LOOKED_AT)
    page.keyboard.press(key)
