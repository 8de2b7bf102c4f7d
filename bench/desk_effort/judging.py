"""Judge an item in a browser, and count what that asks of hands and eyes."""

from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

MOMENT = 120  # milliseconds; a key that comes sooner is one that bounces
FIRST_LOOK = 700  # no click is for an item that came sooner

# How far the eye goes from the end of the text to the label, with what has to be scrolled before the label is in
# sight. The text is read to its end first: scrolling for that belongs to the reading.
_WAY = """([text, label]) => {
    const bars = [...document.querySelectorAll(".choice-bar, .submit, #judgement > fieldset")].filter(
        (each) => getComputedStyle(each).position === "sticky" && getComputedStyle(each).bottom !== "auto");
    const limit = Math.min(innerHeight, ...bars.map((each) => each.getBoundingClientRect().top));
    const below = text.getBoundingClientRect().bottom - limit + 8;
    if (below > 0) scrollBy(0, below);
    const before = scrollY;
    const isInSight = () => {
        const box = label.getBoundingClientRect();
        const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return Boolean(hit) && (label.contains(hit) || hit.contains(label));
    };
    if (!isInSight()) label.scrollIntoView({block: "nearest"});
    if (!isInSight()) label.scrollIntoView({block: "center"});
    const [from, to] = [text.getBoundingClientRect(), label.getBoundingClientRect()];
    const x = to.x + to.width / 2 - from.x - from.width / 2;
    const y = to.y + to.height / 2 - Math.min(from.bottom, innerHeight);
    return {eye: Math.hypot(x, y), scrolled: Math.abs(scrollY - before)};
}"""


@dataclass
class Effort:
    """What one judgement asked for: presses of keys or taps, pixels of eye travel, pixels scrolled to labels."""

    presses: int = 0
    eye: float = 0
    scrolled: float = 0

    def go(self, page: Page, text: Locator, label: Locator) -> None:
        ends = [each.element_handle() for each in (text, label)]
        way = page.evaluate(_WAY, ends)
        self.eye += way["eye"]
        self.scrolled += way["scrolled"]


def judge(page: Page, scheme: str, *, by_touch: bool) -> Effort:
    """Judge the item on the screen, and wait for the next one."""
    page.wait_for_timeout(FIRST_LOOK)
    effort, before = Effort(), page.locator("#desk .question .text").inner_text()
    if scheme in ("rating", "relevance"):
        _fill_in(page, effort, by_touch=by_touch)
    else:
        _choose(page, effort, by_touch=by_touch)
    expect(page.locator("#desk .question .text")).not_to_have_text(before)
    saved = page.locator(".last:not(.is-sending) #saved")
    saved.wait_for()
    return effort


def _choose(page: Page, effort: Effort, *, by_touch: bool) -> None:
    text, option = page.locator("#judged .response .text").last, page.locator(".option").first
    effort.go(page, text, option)
    if not by_touch:
        page.keyboard.press("1")
        effort.presses += 1
        return
    before = page.locator("#desk .question .text").inner_text()
    option.tap()
    effort.presses += 1
    page.wait_for_timeout(FIRST_LOOK)
    if page.locator("#desk .question .text").inner_text() == before:
        submit = page.locator("#judgement .submit button")
        effort.go(page, option, submit)
        submit.tap()
        effort.presses += 1


def _fill_in(page: Page, effort: Effort, *, by_touch: bool) -> None:
    """Answer every question of each part by its first option, then go on."""
    while True:
        for question in _open_questions(page):
            _answer(page, question, effort, by_touch=by_touch)
        submit = page.locator("#judgement .submit button")
        is_last = "Show" not in submit.inner_text()
        if by_touch:
            submit.tap()
        else:
            page.keyboard.press("Enter")
        effort.presses += 1
        if is_last:
            return
        page.locator("section.passage").first.wait_for(state="attached")
        page.wait_for_timeout(FIRST_LOOK)


def _open_questions(page: Page) -> Iterator[Locator]:
    names = page.locator("fieldset[data-needed]:not(:disabled, .unasked)").evaluate_all(
        "all => all.map(each => each.dataset.question)"
    )
    for name in names:
        yield page.locator(f"fieldset[data-question='{name}']")


def _answer(page: Page, question: Locator, effort: Effort, *, by_touch: bool) -> None:
    label, box = question.locator("label").first, question.locator("input").first
    about = question.locator(
        "xpath=ancestor::section[contains(@class, 'response') or contains(@class, 'passage')]"
    )
    texts = about.locator(".told .text") if about.count() else page.locator(".question .text")
    effort.go(page, texts.last, label)
    key = (box.get_attribute("aria-keyshortcuts") or "1").split()[0]
    for _ in range(3):
        if box.is_checked():
            return
        page.wait_for_timeout(MOMENT)
        if by_touch:
            label.tap()
        else:
            page.keyboard.press(key)
        effort.presses += 1
    raise RuntimeError(f"{question} was not answered")
