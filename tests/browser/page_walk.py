"""A walk from link to link through a served Touchstone, and a check of each page."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from django.urls import resolve
from playwright.sync_api import APIRequestContext, BrowserContext, ConsoleMessage, Page, expect

from tests import crawling
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE

# Addresses that are no pages: files, and a part of a page that the page fetches by itself.
NO_PAGES = {
    *("release_file", "release_zip", "job_problems", "scores_csv", "scores_latex", "rankings_csv"),
    *(
        "batch_progress",
        "health",
        "health_live",
        "health_ready",
        "metrics",
        "api_schema",
        "desk_feed",
        "service_worker",
        "pool_missed_table",
        "unclear_csv",
    ),
    *("batch_agreement_table", "batch_agreement_picture", "dataset_part", "results_tex"),
    *("run_table_csv", "run_file"),
    *("compared_file", "compared_study_file", "own_data", "batch_table"),
    *("results_table", "batch_annotators_table", "quality_annotators_table"),
    *("late_runs_table", "left_out_teams_table", "left_out_teams_tex", "left_out_teams_picture"),
    *("by_references_table", "question_results_file", "written_zip", "batch_curated_file"),
}
# How many pages of a name are visited where one differs from the next; of other names MOST_ALIKE.
MOST_OF_A_KIND = {
    "study": 3, "dataset": 3, "pool": 5, "batch": 9, "item": 6, "job": 5, "compared": 4, "desk": 4,
    "releases": 3,
}  # fmt: skip
MOST_ALIKE = 2
# Fields of addresses that ask a page for something else, not for the same in another order or number.
ASKS = {"list", "tier", "item", "answer"}


# Resolves once the page has its new size and colours: on a busy machine both come after the call that sets them.
_NARROW_AND_DARK = """(width) => new Promise((drawn) => {
    const look = (n) => {
        const is_so = innerWidth === width && matchMedia("(prefers-color-scheme: dark)").matches;
        requestAnimationFrame(() => (is_so || n === 0 ? requestAnimationFrame(drawn) : look(n - 1)));
    };
    look(600);
})"""

# The section that the page says it belongs to is marked in the study's navigation.
_UNMARKED = """() => {
    const section = document.querySelector(".crumbs a[href]");
    return [...document.querySelectorAll(".study-nav li a")]
        .filter((each) => each.pathname === section?.pathname && !each.getAttribute("aria-current"))
        .map((each) => `${each.textContent} is not marked in the navigation`);
}"""


@dataclass(frozen=True)
class Kind:
    """Pages that are alike: of one name, requested with the same fields."""

    name: str
    fields: frozenset[str]

    def most(self, alike: int) -> int:
        """How many of them are visited; `alike` where one does not differ from the next."""
        if self.name in NO_PAGES or not self.fields <= ASKS:
            return 0
        return 1 if self.fields else MOST_OF_A_KIND.get(self.name, alike)


def kind_of(address: str) -> Kind:
    parts = urlsplit(address)
    fields = frozenset(name for name, value in parse_qsl(parts.query) if value)
    return Kind(str(resolve(parts.path).url_name), fields)


def linked_pages(
    requests: APIRequestContext, begin: Iterable[str], within: str = "/", alike: int = MOST_ALIKE
) -> Iterator[tuple[str, int]]:
    """Yield every page that links lead to from the first ones, with the server's status.

    Addresses are paths of one host that begin with `within`. Of pages of one kind `Kind.most(alike)` are visited.
    """
    waiting = list(begin)
    seen: set[str] = set()
    taken: Counter[Kind] = Counter()
    while waiting:
        address = waiting.pop(0)
        kind = kind_of(address)
        if address in seen or taken[kind] >= kind.most(alike):
            continue
        seen.add(address)
        taken[kind] += 1
        response = requests.get(address)
        yield address, response.status
        path = urlsplit(response.url).path
        waiting += [each for each in links(response.text(), path) if each.startswith(within)]


def links(html: str, base: str) -> list[str]:
    """The links of the page to its host and the parts that it fetches, as paths with queries."""
    named = [
        tag.attributes.get("hx-get") or tag.attributes.get("href", "")
        for tag in crawling.read(html).tags
        if tag.name == "a" or "hx-get" in tag.attributes
    ]
    return [found for each in named if each and (found := crawling.of_this_host(each, base))]


class PageCheck:
    """A page and its faults: errors in the console, violations of axe, an unmarked section, width on a phone."""

    def __init__(self, context: BrowserContext) -> None:
        self.page = context.new_page()
        self._errors: list[str] = []
        self.page.on("pageerror", lambda error: self._errors.append(str(error)))
        self.page.on("console", self._said)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._errors.append(message.text)

    def faults(self, *, is_alike: bool = False) -> Iterator[str]:
        """Yield the faults of the current page, wide and light, then narrow and dark.

        `is_alike`: a page that does not differ was checked in the dark; axe checks this one in the light only.
        """
        page = self.page
        # Parts that it fetches when it is opened.
        expect(page.locator(".htmx-request")).to_have_count(0)
        yield from (f"wide and light: {each}" for each in axe.violations(page))
        n_first = page.locator("h1").count()
        if n_first != 1:
            yield f"{n_first} headings of level 1"
        yield from page.evaluate(_UNMARKED)
        page.set_viewport_size(PHONE)
        page.emulate_media(color_scheme="dark")
        page.evaluate(_NARROW_AND_DARK, PHONE["width"])
        if not is_alike:
            yield from (f"narrow and dark: {each}" for each in axe.violations(page))
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > PHONE["width"]:
            yield f"{width} px wide on a phone of {PHONE['width']} px: {_furthest(page)}"
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(WIDE)
        yield from (f"console: {each}" for each in self._errors)
        self._errors.clear()


def _furthest(page: Page) -> str:
    """The element that sticks out furthest."""
    found: str = page.evaluate(
        """() => [...document.body.querySelectorAll("*")]
            .map((each) => [each.getBoundingClientRect().right, each])
            .sort(([a], [b]) => b - a)[0][1].outerHTML.replace(/\\s+/g, " ").slice(0, 200)"""
    )
    return found
