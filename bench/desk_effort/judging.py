"""Judge an item in a browser, and count what that asks of hands and eyes."""

from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

MOMENT = 120  # milliseconds; a key that comes sooner is one that bounces
FIRST_LOOK = 700  # no click is for an item that came sooner
# Of a hard item of writing: the three before them are longer than an answer may be.
SHORT_SENTENCES = (4, 5)

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

# A question that has the keyboard keeps its place in it; any other takes it without being scrolled to.
_FOCUS = "each => each.contains(document.activeElement) || each.focus({preventScroll: true})"


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
    if scheme == "writing":
        _write(page, effort, by_touch=by_touch)
    elif scheme in ("rating", "relevance", "curation"):
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


def _write(page: Page, effort: Effort, *, by_touch: bool) -> None:
    """Tick two sentences, copy them, and confirm the copy as the answer: nothing is typed."""
    question = page.locator("#desk .question .text")
    submit = page.locator("#judgement .submit button")
    box = page.locator("textarea[name=answer]")

    def ask(name: str, text: Locator, label: Locator, *keys: str) -> None:
        effort.go(page, text, label)
        if by_touch:
            label.tap()
            effort.presses += 1
        else:
            page.locator(f"[data-question='{name}']").evaluate(_FOCUS)
            effort.presses += _press(page, *keys)
        page.wait_for_timeout(MOMENT)

    ask("outcome", question, page.locator("[data-question='outcome'] label").first, "a")
    for number in SHORT_SENTENCES:
        sentence = page.locator(".sentence:not(.is-title)").nth(number - 1)
        ask("s.1", sentence, sentence, str(number))
        if not sentence.locator(
            "input"
        ).is_checked():  # the digit only led to a sentence out of sight
            effort.presses += _press(page, str(number))
    ask("s.1", sentence, page.get_by_role("button", name="Copy the ticked sentences"), "c")
    if not by_touch:  # the box has the keyboard then
        effort.presses += _press(page, "Escape")
    expect(box).not_to_have_value("")
    confirmed = page.locator("[data-question='confirm'] label")
    for number in range(1, confirmed.count() + 1):
        ask("confirm", box, confirmed.nth(number - 1), str(number))
    effort.go(page, confirmed.last, submit)
    if by_touch:
        submit.tap()
        effort.presses += 1
    else:
        effort.presses += _press(page, "Shift+Enter")


def _press(page: Page, *keys: str) -> int:
    """Press the keys one after another as a person does, and return how many they were."""
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_timeout(MOMENT)
    return len(keys)


def _fill_in(page: Page, effort: Effort, *, by_touch: bool) -> None:
    """Answer every question of each part by its first option, then go on."""
    while True:
        while names := _unanswered(page):  # an answer may open others
            question = page.locator(f"fieldset[data-question='{names[0]}']")
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


def _unanswered(page: Page) -> list[str]:
    names: list[str] = page.locator("fieldset[data-needed]:not(:disabled, .unasked)").evaluate_all(
        "all => all.filter(each => !each.querySelector(':checked')).map(each => each.dataset.question)"
    )
    return names


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
