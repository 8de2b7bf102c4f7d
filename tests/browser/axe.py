"""Accessibility rules (WCAG 2.2 AA and axe's best practices), checked in the browser."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

OPTIONS = {"runOnly": RULES, "resultTypes": ["violations"]}  # what passes need not be described

# Of the rows of a table or list that differ in nothing but these attributes and their words, MOST_ALIKE are looked
# at (their colours may take turns): half of axe's time would go into the colours of all the others.
ATTRIBUTES = ["aria-describedby", "aria-label", "aria-labelledby", "datetime", "for", "href", "id"]
ATTRIBUTES += ["name", "title", "value"]
MOST_ALIKE = 2

_RUN = """async ([options, attributes, most]) => {
    const form = (row) => {
        const copy = row.cloneNode(true);
        const texts = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.trim() && "x";
        for (const each of [copy, ...copy.querySelectorAll("*")])
            for (const name of attributes)
                if (each.getAttribute(name)) each.setAttribute(name, "x");
        return copy.outerHTML;
    };
    const counts = new Map();
    const isOneMore = (row) => {
        const forms = counts.get(row.parentNode) ?? {};
        counts.set(row.parentNode, forms);
        const its = form(row);
        forms[its] = (forms[its] ?? 0) + 1;
        return forms[its] > most;
    };
    const exclude = [...document.querySelectorAll("tbody > tr, li")].filter(isOneMore);
    const found = await axe.run({ include: [document.documentElement], exclude }, options);
    return found.violations.flatMap((each) =>
        each.nodes.map((node) => `${each.id}: ${each.help}: ${node.html}`)
    );
}"""


def violations(page: Page) -> list[str]:
    """What axe finds wrong on the page as it is now, a line each."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(_RUN, [OPTIONS, ATTRIBUTES, MOST_ALIKE])
    return found
