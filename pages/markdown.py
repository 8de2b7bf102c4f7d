"""Markdown that people wrote, as HTML that can do no harm."""

import nh3
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt

_reader = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])

TAGS = {
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "blockquote", "ul", "ol", "li", "hr", "br"),
    *("em", "strong", "s", "code", "pre", "a", "table", "thead", "tbody", "tr", "th", "td"),
}


def html(text: str) -> SafeString:
    """The text as HTML: no raw HTML, no picture (it would be fetched from another host), no script.

    Links go out in a tab of their own and tell nobody where they were followed from.
    """
    cleaned = nh3.clean(
        _reader.render(text),
        tags=TAGS,
        attributes={"a": {"href", "title"}, "ol": {"start"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
    return SafeString(cleaned)
