"""Markdown that people wrote, as safe HTML."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import nh3
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.token import Token

_reader = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])

TAGS = {
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "blockquote", "ul", "ol", "li", "hr", "br"),
    *("em", "strong", "s", "code", "pre", "a", "table", "thead", "tbody", "tr", "th", "td"),
}


DEEPEST_LEVEL = 6


@lru_cache(maxsize=64)  # each page of the desk has the guideline, the same one for everybody
def html(text: str, *, below: int = 1) -> SafeString:
    """Return the text as HTML: no raw HTML, no image (another host would serve it), no script.

    Links open in a new tab and send no referrer. Headings are moved below `below`, the level of the
    page's heading above the text, and keep their relative levels.
    """
    cleaned = nh3.clean(
        _rendered(text, below),
        tags=TAGS,
        attributes={"a": {"href", "title"}, "ol": {"start"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
    return SafeString(cleaned)


def _rendered(text: str, below: int) -> str:
    tokens = _reader.parse(text)
    lower_headings(tokens, below)
    return str(_reader.renderer.render(tokens, _reader.options, {}))


def lower_headings(tokens: Sequence[Token], below: int) -> None:
    """Move the headings below this level, so that none is skipped."""
    of_headings = [each for each in tokens if each.type in ("heading_open", "heading_close")]
    opens = of_headings[::2]
    levels = heading_levels([int(each.tag[1]) for each in opens])
    for token, level in zip(of_headings, (each for each in levels for _ in "oc"), strict=True):
        token.tag = f"h{min(below + level, DEEPEST_LEVEL)}"


def heading_levels(levels: Sequence[int]) -> list[int]:
    """Return the depth of each heading, from 1, so that no level is skipped.

    Each is one deeper than the nearest earlier heading of a higher rank: 2 4 4 3 1 2 becomes 1 2 2
    2 1 2.
    """
    above: list[int] = []
    depths = []
    for level in levels:
        while above and above[-1] >= level:
            above.pop()
        above.append(level)
        depths.append(len(above))
    return depths


class Span(NamedTuple):
    """Consecutive words of one style.

    `style` has its names, separated by spaces: "strong", "em", "s", "code".
    """

    text: str
    style: str = ""


class Block(NamedTuple):
    """A heading, a paragraph, an item of a list, a cell of a table or a line of code."""

    kind: str  # "heading", "item", "cell", "code" or "text"
    spans: tuple[Span, ...]


def plain_text(text: str) -> str:
    """Return the words of the text in one paragraph, without marks, pictures and addresses of links."""
    words = []
    for token in _reader.parse(text):
        if token.type in ("fence", "code_block"):
            words.append(token.content)
        for child in token.children or []:
            if child.type in ("text", "code_inline"):
                words.append(child.content)
            elif child.type in ("softbreak", "hardbreak"):
                words.append(" ")
        words.append(" ")
    return " ".join("".join(words).split())


_KINDS = {
    "heading_open": "heading",
    "list_item_open": "item",
    "td_open": "cell",
    "th_open": "cell",
}


def blocks(text: str) -> list[Block]:
    """Return the blocks of the text in order, as plain words without HTML; skip empty ones."""
    found: list[Block] = []
    kind = "text"
    for token in _reader.parse(text):
        if token.type == "inline":
            found.append(Block(kind, tuple(_spans(token.children or []))))
        elif token.type in ("fence", "code_block"):
            found.extend(Block("code", (Span(line),)) for line in token.content.splitlines())
        elif token.type != "paragraph_open":
            # What follows the first paragraph of an item in it is a paragraph of its own.
            kind = _KINDS.get(token.type, "text")
    return [each for each in found if any(span.text.strip() for span in each.spans)]


def _spans(tokens: Sequence[Token]) -> Iterator[Span]:
    """Yield the spans of a block.

    The address of a link follows its text, so that it can be read.
    """
    styles: list[str] = []
    targets: list[str] = []
    for token in tokens:
        if token.type == "text":
            yield Span(token.content, " ".join(styles))
        elif token.type == "code_inline":
            yield Span(token.content, " ".join([*styles, "code"]))
        elif token.type in ("softbreak", "hardbreak"):
            yield Span("\n")
        elif token.type == "link_open":
            targets.append(str(token.attrs["href"]))
        elif token.type == "link_close":
            yield Span(f" ({targets.pop()})")
        elif token.nesting == 1:
            styles.append(token.tag)
        elif token.nesting == -1:
            styles.pop()
