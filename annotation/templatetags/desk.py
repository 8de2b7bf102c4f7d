from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from text import question_words
from text.diff import Change, Piece, Run

register = template.Library()

CHANGES = {
    Change.NONE: "{}{}",
    Change.ADDED: '<ins><span class="visually-hidden">added: </span>{}<span class="visually-hidden">; </span></ins>{}',
    Change.REMOVED: '<del><span class="visually-hidden">removed: </span>{}<span class="visually-hidden">; </span></del>{}',
}


@register.filter
def duration(seconds: float) -> str:
    """A rounded duration in words, as "about 2 h 10 min"."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    hours, rest = divmod(minutes, 60)
    if hours == 0:
        return f"about {rest} min"
    return f"about {hours} h {rest} min" if rest else f"about {hours} h"


@register.filter
def highlight(text: str, question: str) -> SafeString:
    """The text with the words of the question in <mark>."""
    return format_html_join(
        "",
        "{}",
        (
            (format_html("<mark>{}</mark>", piece) if is_marked else piece,)
            for piece, is_marked in question_words.highlighted_pieces(text, question)
        ),
    )


@register.filter
def piece_html(piece: Piece) -> SafeString:
    """A piece of a guideline with the space after it; screen readers say what was added or removed."""
    words = format_html_join("", "{}", ((_styled(run),) for run in piece.runs))
    return format_html(CHANGES[piece.change], words, piece.gap)


def _styled(run: Run) -> str:
    return format_html('<span class="{}">{}</span>', run.style, run.text) if run.style else run.text
