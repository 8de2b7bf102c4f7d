from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from text import question_words

register = template.Library()


@register.filter
def duration(seconds: float) -> str:
    """A time to come or to look back on, no more exact than it is known: about 2 h 10 min."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    hours, rest = divmod(minutes, 60)
    if hours == 0:
        return f"about {rest} min"
    return f"about {hours} h {rest} min" if rest else f"about {hours} h"


@register.filter
def marking(text: str, question: str) -> SafeString:
    """The text with the question's words in <mark>."""
    return format_html_join(
        "",
        "{}",
        (
            (format_html("<mark>{}</mark>", piece) if is_marked else piece,)
            for piece, is_marked in question_words.pieces(text, question)
        ),
    )
