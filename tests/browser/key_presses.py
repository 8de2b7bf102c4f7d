"""Keys that a page's script hears."""

from playwright.sync_api import Page


def press(page: Page, key: str) -> None:
    """Once all of the page is there: its script is the last of it, and nobody is so fast."""
    page.wait_for_load_state()
    page.keyboard.press(key)
