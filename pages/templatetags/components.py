"""Parts of pages that enclose what a template writes between their tags."""

from typing import Any

from django import template
from django.template.context import Context
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


def _attributes(**values: str) -> SafeString:
    """The attributes that have a value, each after a blank."""
    given = [format_html(' {}="{}"', name, value) for name, value in values.items() if value]
    return SafeString("".join(given))


@register.simple_block_tag
def table(content: str, label: str, css: str = "", id: str = "") -> SafeString:
    """A table that scrolls sideways by itself, by touch and by arrow keys, under the name of its region.

    Right: {% table "Runs" css="narrow" id="runs" %}<thead>…</thead><tbody>…</tbody>{% endtable %}
    `css` is the class of the table, `id` stands at the region.
    """
    return format_html(
        '<div class="scrolls"{} tabindex="0" role="region" aria-label="{}"><table{}>{}</table></div>',
        _attributes(id=id),
        label,
        _attributes(**{"class": css}),
        SafeString(content),
    )


@register.simple_block_tag
def fact(content: str, name: str) -> SafeString:
    """One line of a list of facts, inside <dl class="facts">: {% fact "Items" %}12{% endfact %}."""
    return format_html("<dt>{}</dt><dd>{}</dd>", name, SafeString(content))


@register.simple_block_tag(takes_context=True)
def compute(
    context: Context,
    content: str,
    stored: object,
    action: str,
    label: str = "Compute",
    is_quiet: bool = False,
) -> SafeString:
    """The state of a page's figures: when and from what they were computed, what came since, and the button
    that computes them, or how far the job is that does. What is enclosed follows the button.

    `stored` is a jobs.stored_figures.StoredFigures. The button is the primary one where it is due, unless it
    `is_quiet`.
    """
    parameters: dict[str, Any] = {
        "stored": stored,
        "label": label,
        "is_quiet": is_quiet,
        "action": action,
        "content": SafeString(content),
    }
    return render_to_string("_components/computed.html", parameters, context["request"])


@register.simple_tag
def undefined(reason: str) -> SafeString:
    """What stands in a table for a value that there is not, and why: {% undefined figure.reason %}."""
    return format_html(
        '<span class="quiet">undefined</span><span class="under reason">{}</span>', reason
    )
