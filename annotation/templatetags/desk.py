from django import template

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
