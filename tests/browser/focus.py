"""Where the keyboard is on a page, and whether one sees that."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page

# The frame of an option is drawn around its whole row. What a script leads to, so that it is read next, has
# no frame: one gets there by no key.
_LOOK = """async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const element = document.activeElement;
    const shown = element.closest("label:is(.option, .chip, .sentence)") ?? element;
    const style = getComputedStyle(shown);
    const box = shown.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height, 24) / 2];
    const top = document.elementFromPoint(x, y);
    return {
        name: element.id || element.getAttribute("aria-label") || element.innerText || element.tagName,
        isFramed: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        isInside: box.left >= 0 && box.right <= innerWidth && y >= 0 && y <= innerHeight,
        above: top?.outerHTML.slice(0, 100) ?? "nothing",
        isUncovered: shown.contains(top) || shown.control === top || (top?.contains(shown) ?? false),
    };
}"""


def look(page: Page) -> dict[str, Any]:
    return page.evaluate(_LOOK)


def assert_visible(page: Page) -> None:
    """The focus has a frame, is on the screen, and nothing lies above it."""
    seen = look(page)
    assert seen["isFramed"], f"no frame around {seen['name']!r}"
    assert seen["isInside"], f"{seen['name']!r} is off the screen"
    assert seen["isUncovered"], f"{seen['above']} covers {seen['name']!r}"


def tab_to(page: Page, target: Locator, key: str = "Tab") -> None:
    """By Tab and nothing else; wherever it stops, one sees it."""
    for _ in range(40):
        page.keyboard.press(key)
        if page.evaluate("document.activeElement === document.body"):
            continue  # out of the page, and in again
        assert_visible(page)
        if target.evaluate("element => element === document.activeElement"):
            return
    pytest.fail(f"the keyboard does not reach {target}")
