"""Questions, answers and passages: the one way in which templates show them."""

from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from pages import answer_markdown

register = template.Library()


@register.simple_tag
def as_written(text: str, css: str = "", id: str = "", tag: str = "p") -> SafeString:
    """Return an element with the text as it was written, white space and all: {% as_written answer.text %}.

    `css` are further classes, `tag` is the element. HTML that is marked as safe stays.
    """
    return mark_safe(f"{_start(css, id, tag)}{conditional_escape(text)}</{tag}>")  # noqa: S308  the text is escaped


@lru_cache(maxsize=64)  # every text of the annotation page is shown by one of a few
def _start(css: str, id: str, tag: str) -> SafeString:
    given_id = format_html(' id="{}"', id) if id else ""
    classes = f"text as-written {css}".strip()
    return format_html('<{} class="{}"{} dir="auto">', tag, classes, given_id)


@register.simple_tag
def answer_text(text: str, shows_markdown: bool = False) -> SafeString:
    """Return the text of an answer; in a batch that shows Markdown as that, with the text as it was written beside it."""
    if not shows_markdown:
        return as_written(text)
    html = answer_markdown.answer_html(text)
    return render_to_string("_components/answer_text.html", {"text": text, "html": html})
