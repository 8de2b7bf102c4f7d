"""Markdown that a system wrote, as safe HTML.

Nothing of the text is hidden, nothing in it is followed or fetched, and LaTeX stays as it was written. Guidelines and
other texts of organisers are rendered by pages.markdown.
"""

import html
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import nh3
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml, unescapeAll
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from pages import latex, markdown

# A longer text is shown as written: reading it takes too long, and so does a page that renders many of them.
MOST_CHARACTERS = 20_000
# Answers stand below a heading of this level.
HEADING_ABOVE = 2

TAGS = (markdown.TAGS | {"span"}) - {"a", "h1", "h2"}
ATTRIBUTES = {
    **{tag: {"dir"} for tag in ("p", "h3", "h4", "h5", "h6", "ul", "blockquote", "table")},
    **{tag: {"dir"} for tag in ("code", "span")},
    "ol": {"dir", "start"},
    "p": {"dir", "class"},
    "pre": {"dir", "class"},
    "th": {"class"},
    "td": {"class"},
}
ALIGNMENTS = {"text-align:right": "align-right", "text-align:center": "align-center"}
# What the parser reads as one character.
ENTITY = re.compile(r"&#?\w{1,32};")


class _Renderer(RendererHTML):
    """HTML without links and pictures: their addresses are text. Code is written from left to right."""

    def fence(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        language = unescapeAll(tokens[idx].info).strip()
        named = f'<p class="code-language">{escapeHtml(language)}</p>\n' if language else ""
        return named + self.code_block(tokens, idx, options, env)

    def code_block(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return f'<pre dir="ltr"><code>{escapeHtml(tokens[idx].content)}</code></pre>\n'

    def code_inline(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return f'<code dir="ltr">{escapeHtml(tokens[idx].content)}</code>'

    def latex_inline(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return f'<code dir="ltr">{escapeHtml(tokens[idx].content)}</code>'

    def latex_block(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return f'<pre dir="ltr" class="latex">{escapeHtml(tokens[idx].content)}</pre>\n'

    def link_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return ""

    def link_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        opening = next(each for each in reversed(tokens[:idx]) if each.type == "link_open")
        return "" if opening.markup == "autolink" else f" ({_address(opening, 'href')})"

    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        token = tokens[idx]
        return f"![{escapeHtml(token.content)}]({_address(token, 'src')})"


def _address(token: Token, attribute: str) -> str:
    address = f'<span dir="ltr">{escapeHtml(str(token.attrs[attribute]))}</span>'
    title = token.attrs.get("title")
    return f"{address} “{escapeHtml(str(title))}”" if title else address


class _Parser(MarkdownIt):
    """Addresses are shown, not followed: any of them is, and as it was written."""

    def normalizeLink(self, url: str) -> str:  # noqa: N802
        return url

    def normalizeLinkText(self, link: str) -> str:  # noqa: N802
        return link

    def validateLink(self, url: str) -> bool:  # noqa: N802
        return True


def _parser() -> MarkdownIt:
    parser = _Parser("commonmark", {"html": False, "breaks": True}, renderer_cls=_Renderer)
    parser.enable(["table", "strikethrough"])
    # A definition of a reference would not be shown.
    parser.disable("reference")
    latex.add_to(parser)
    return parser


_reader = _parser()


def answer_html(text: str) -> SafeString | None:
    """Return the answer as HTML; None if it has to be shown as written.

    That is if it is too long, or if some of its letters or digits would not be shown: cells beyond the columns of a
    table, lists that are nested too deeply.
    """
    if len(text) > MOST_CHARACTERS:
        return None
    tokens = _reader.parse(text)
    markdown.lower_headings(tokens, below=HEADING_ABOVE)
    for token in tokens:
        _set_direction(token)
        _set_alignment(token)
    cleaned = nh3.clean(
        str(_reader.renderer.render(tokens, _reader.options, {})),
        tags=TAGS,
        attributes=ATTRIBUTES,
        link_rel=None,
    )
    return SafeString(cleaned) if _shows_all(text, tokens, cleaned) else None


def _set_direction(token: Token) -> None:
    """Each block has the direction of its first letter; the style sheet does the same for each line in it."""
    if token.block and token.level == 0 and token.nesting == 1:
        token.attrSet("dir", "auto")


def _set_alignment(token: Token) -> None:
    """A class in place of a style, which the content security policy forbids."""
    style = token.attrs.pop("style", None)
    if style in ALIGNMENTS:
        token.attrSet("class", ALIGNMENTS[str(style)])


def _shows_all(text: str, tokens: Sequence[Token], cleaned: str) -> bool:
    """Whether each letter and digit of the text is in the HTML, or is the number of an item of a list."""
    shown = html.unescape(re.sub("<[^>]*>", "", cleaned))
    numbers = "".join(each.info for each in tokens if each.type == "list_item_open")
    return not _letters(ENTITY.sub("", text)) - _letters(shown + numbers)


def _letters(text: str) -> Counter[str]:
    return Counter(re.sub(r"[\W_]+", "", text))
