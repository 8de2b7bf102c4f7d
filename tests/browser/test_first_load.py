"""The first visit to the desk is small, and what is delivered as one file works like the modules it is made of."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from config.script_bundles import bundle
from tests.browser.conftest import LONGEST, WIDE
from tests.browser.desk_transfers import Desks, first_load, served_desks, transfers
from tests.browser.waiting import wait_until

MOST = 60_000  # bytes on the wire, with the heads of the replies
SCHEMES = (
    *("plausibility", "faithfulness", "preference", "rating", "relation", "relevance"),
    *("writing", "curation"),
)
COPIES = """async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith("touchstone-private-"));
    const found = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return found.flat().map((request) => new URL(request.url).pathname);
}"""

MODULES = {
    "/a/main.js": (
        'import { counter, bump as count } from "./state.js";\n'
        'import * as state from "./state.js";\n'
        'import "../beside.js";\n'
        'import { both,\n  pair } from "./late.js";\n'
        "// `\n"
        "await null;\n"
        "count();\n"
        "const { now } = state;\n"
        "seen.push(counter.name, state.now, now, both(), pair, typeof hidden);\n"
        "seen.push(state.now, 'end');\n"
    ),
    "/a/state.js": (
        'seen.push("state");\n'
        "const hidden = 1;\n"
        'export const counter = { name: "counter" };\n'
        "export let now = 0;\n"
        "export function bump() {\n  now += hidden;\n}\n"
    ),
    "/a/late.js": (
        'import { bump } from "./state.js";\n'
        'export const { first: pair } = { first: "pair" };\n'
        "export class Both {}\nexport async function wait() {}\nexport function both() {\n  bump();\n  return new Both().constructor.name;\n}\n"
        'seen.push("late");\n'
    ),
    "/beside.js": 'const hidden = 2;\nseen.push("beside", this === undefined, hidden);\n',
}


@pytest.fixture(scope="module")
def desks(tmp_path_factory):
    with served_desks(tmp_path_factory.mktemp("first-load")) as found:
        yield found


@pytest.fixture
def visitor(browser, desks: Desks):
    """A browser that was never here, with service workers."""
    opened = browser.new_context(viewport=WIDE, reduced_motion="reduce")
    opened.set_default_timeout(LONGEST)
    opened.add_cookies([desks.cookie])
    yield opened
    opened.close()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_first_visit_to_the_desk_transfers_at_most_60_kilobytes(visitor, desks, scheme):
    found = transfers(visitor.new_page(), desks.addresses[scheme])

    assert {each.kind for each in found} >= {"Document", "Stylesheet", "Script"}
    assert first_load(found) <= MOST, sorted(found, key=lambda each: each.n_bytes)


def test_what_is_delivered_judges_and_goes_on_after_a_reload_without_a_network(
    visitor: BrowserContext, desks
):
    address = desks.addresses["plausibility"]
    page = faultless(visitor.new_page())
    page.add_init_script("localStorage['touchstone.desk'] ??= '{\"beat\": 0}'")
    page.goto(address)
    wait_until(page, "navigator.serviceWorker.controller !== null")
    path = address.removeprefix(desks.cookie["url"])
    wait_until(page, f"({COPIES})().then((found) => found.includes('{path}'))")
    judge(page, 1)
    expect(page.locator(".last")).to_contain_text("Saved: plausible")

    visitor.set_offline(True)
    judge(page, 2)
    page.reload()
    judge(page, 3)
    expect(page.locator("#trouble")).to_contain_text("2 answers are saved on this device")
    visitor.set_offline(False)

    expect(page.locator("#trouble")).to_be_hidden()
    expect(page.locator(".progress")).to_contain_text("3 of 30")


def judge(page: Page, number: int) -> None:
    expect(page.locator(".question")).to_contain_text(f"({number})")
    page.wait_for_timeout(250)  # no key is for an item that came sooner
    page.keyboard.press("1")


def faultless(page: Page) -> Page:
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    return page


def test_a_bundle_does_what_its_modules_do(page):
    script = bundle("a/main.js", lambda path: MODULES[f"/{path}"])

    assert seen(page, MODULES) == seen(page, {"/a/main.js": script})


def seen(page: Page, scripts: dict[str, str]) -> list[object]:
    """What the script notes, where a browser finds these."""
    start = '<script>seen = [];</script><script type="module" src="/a/main.js"></script>'

    def answer(route):
        path = route.request.url.removeprefix("http://modules.test")
        text = scripts.get(path, start)
        route.fulfill(body=text, content_type="text/javascript" if path in scripts else "text/html")

    page.route("http://modules.test/**", answer)
    page.goto("http://modules.test/")
    wait_until(page, "seen.includes('end')")
    noted = page.evaluate("seen")
    page.unroute("http://modules.test/**")
    return noted
