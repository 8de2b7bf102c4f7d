from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.models import Invitation
from annotation.models import Batch
from annotation.queries.work_terms import WorkTerms, contact_of, terms_in, terms_of
from corpus import quotes
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
def seconds(n: int) -> str:
    """The expected time of one judgement: "30 s", from two minutes on "2 min"."""
    return f"{n} s" if n < 120 else f"{round(n / 60)} min"


@register.simple_tag
def work_terms(batch: Batch) -> WorkTerms:
    """What a judgement of the batch pays, how long it takes, who asks."""
    return terms_of(batch)


@register.inclusion_tag("annotation/desk/_offered.html")
def work_offered(invitation: Invitation) -> dict[str, Any]:
    """The terms of what is open in the study of an invitation."""
    return {
        "offered": terms_in(invitation.study),
        "contact": contact_of(invitation.study, invitation.created_by),
    }


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
def mark_quote(text: str, quote: str) -> SafeString:
    """The text with the quote, where it is in it, in <mark>."""
    place = quotes.place(quote, text)
    if place.start is None:
        return format_html("{}", text)
    before, after = text[: place.start], text[place.end :]
    return format_html("{}<mark>{}</mark>{}", before, text[place.start : place.end], after)


@register.filter
def piece_html(piece: Piece) -> SafeString:
    """A piece of a guideline with the space after it; screen readers say what was added or removed."""
    words = format_html_join("", "{}", ((_styled(run),) for run in piece.runs))
    return format_html(CHANGES[piece.change], words, piece.gap)


def _styled(run: Run) -> str:
    return format_html('<span class="{}">{}</span>', run.style, run.text) if run.style else run.text
