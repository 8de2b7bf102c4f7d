"""The documents of docs/ as safe HTML: with anchors, with links to each other, without pictures."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from pathlib import Path

import nh3
from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.token import Token

from pages.help_topics import DOCUMENTS
from pages.markdown import TAGS

_reader = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
ATTRIBUTES = {
    "a": {"href", "title", "target"},
    "ol": {"start"},
    "li": {"id"},
    **{tag: {"id"} for tag in HEADINGS},
}
IN_DOCS = re.compile(r"(?P<name>[a-z-]+)\.md(?:#(?P<anchor>.*))?")


@dataclass(frozen=True)
class Heading:
    text: str
    anchor: str


@dataclass(frozen=True)
class Document:
    """A document as HTML. `sections` are its headings of the second level, `anchors` all that links may name."""

    name: str
    title: str
    html: SafeString
    sections: tuple[Heading, ...]
    anchors: frozenset[str]


def is_installed() -> bool:
    """Whether docs/ came along: an installation may lack it."""
    return _path("pages").is_file()


def _path(name: str) -> Path:
    return Path(settings.BASE_DIR) / "docs" / f"{name}.md"


@lru_cache(maxsize=len(DOCUMENTS))
def document(name: str) -> Document | None:
    """Return the document; None if it is not one for users, or is not installed."""
    if name not in DOCUMENTS or not _path(name).is_file():
        return None
    tokens = _without_pictures(_reader.parse(_path(name).read_text(encoding="utf-8")))
    _keep_one_title(tokens)
    anchors = _set_anchors(tokens)
    for token in tokens:
        _set_links(token)
    html = nh3.clean(
        str(_reader.renderer.render(tokens, _reader.options, {})),
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
    )
    html = _with_scrolling(html)
    title, *_ = [heading for _, heading in anchors if heading.text] or [Heading(name, "")]
    return Document(
        name=name,
        title=title.text,
        html=SafeString(html),
        sections=tuple(heading for tag, heading in anchors if tag == "h2"),
        anchors=frozenset(heading.anchor for _, heading in anchors),
    )


def _with_scrolling(html: str) -> str:
    """Let what is wider than the page scroll by itself, by keyboard too. Each table has a name of its own."""
    numbers = count(1)

    def region(_: re.Match[str]) -> str:
        name = f"Table {next(numbers)}"
        return f'<div class="scrolls" tabindex="0" role="region" aria-label="{name}"><table>'

    html = re.sub("<table>", region, html).replace("</table>", "</table></div>")
    return html.replace("<pre>", '<pre tabindex="0">')


def _keep_one_title(tokens: list[Token]) -> None:
    """Let the first heading alone be of the first level."""
    for token in tokens[2:]:
        if token.tag == "h1":
            token.tag = "h2"


def _without_pictures(tokens: list[Token]) -> list[Token]:
    """The tokens without the paragraphs that hold nothing but pictures."""
    kept: list[Token] = []
    skipped = set()
    for place, token in enumerate(tokens):
        children = token.children or []
        if children and {each.type for each in children} <= {"image", "softbreak"}:
            skipped |= {place - 1, place, place + 1}
    for place, token in enumerate(tokens):
        if place not in skipped:
            kept.append(token)
    return kept


def slug(text: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def _set_anchors(tokens: list[Token]) -> list[tuple[str, Heading]]:
    """Give headings, and items that begin with bold words, an id. Return each with its tag."""
    used: Counter[str] = Counter()
    found: list[tuple[str, Heading]] = []
    for place, token in enumerate(tokens):
        text = _name(tokens, place)
        if not text:
            continue
        anchor = slug(text)
        used[anchor] += 1
        if used[anchor] > 1:
            anchor = f"{anchor}-{used[anchor] - 1}"
        token.attrSet("id", anchor)
        found.append((token.tag, Heading(text, anchor)))
    return found


def _name(tokens: list[Token], place: int) -> str:
    """The text of the heading that begins here, or the bold words that the item here begins with; else ""."""
    token = tokens[place]
    if token.type == "heading_open":
        return _text(tokens[place + 1].children or [])
    if token.type != "list_item_open" or len(tokens) < place + 3:
        return ""
    children = tokens[place + 2].children or []
    opened = [number for number, each in enumerate(children) if each.type == "strong_open"]
    closed = [number for number, each in enumerate(children) if each.type == "strong_close"]
    begins = bool(opened) and not _text(children[: opened[0]])
    return _text(children[opened[0] : closed[0]]) if begins else ""


def _text(tokens: list[Token]) -> str:
    return "".join(each.content for each in tokens if each.type in ("text", "code_inline"))


def _set_links(token: Token) -> None:
    """Let links lead to served documents or other sites; of others, and of pictures, only the text stays."""
    kept: list[Token] = []
    opened: list[bool] = []
    for child in token.children or []:
        if child.type == "link_open":
            opened.append(_set_target(child))
        is_kept = child.type != "image"
        if child.type == "link_open":
            is_kept = opened[-1]
        elif child.type == "link_close":
            is_kept = opened.pop()
        if is_kept:
            kept.append(child)
    if token.children:
        token.children = kept


def _set_target(link: Token) -> bool:
    """Set the address of a link. Return whether it leads somewhere."""
    href = str(link.attrs["href"])
    if href.startswith("#"):
        return True
    if href.startswith(("https://", "http://", "mailto:")):
        link.attrSet("target", "_blank")
        return True
    found = IN_DOCS.fullmatch(href)
    if found is None or found["name"] not in DOCUMENTS:
        return False
    anchor = f"#{found['anchor']}" if found["anchor"] else ""
    link.attrSet("href", reverse("help_document", args=[found["name"]]) + anchor)
    return True
