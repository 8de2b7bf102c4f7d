from django import template

from annotation.models import BatchState
from annotation.queries.batch_progress import BatchLine
from pages.templatetags.pages import count

register = template.Library()


@register.filter
def progress_words(line: BatchLine) -> str:
    """The progress in words, as "3 of 6 judgements, not settled"."""
    if line.batch.state == BatchState.DRAFT:
        words = "not open yet"
    else:
        words = f"{line.n_counted} of {count(line.n_wanted, 'judgement')}"
    if line.is_settled:
        return f"{words}, settled"
    if line.batch.state == BatchState.CLOSED and line.has_verdict:
        return f"{words}, not settled"
    return words
