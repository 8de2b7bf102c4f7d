"""How texts that people wrote are shown beside one another."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from text.beside import Line
from text.diff import Change, Piece

register = template.Library()


@register.filter
def marked(line: Line) -> SafeString:
    """A line of a text, with what the other text has not in <mark>."""
    return format_html_join("", "{}{}", ((_shown(piece), piece.gap) for piece in line))


def _shown(piece: Piece) -> str:
    is_same = piece.change == Change.NONE
    return piece.text if is_same else format_html("<mark>{}</mark>", piece.text)
