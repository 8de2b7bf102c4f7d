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
    context: Context, content: str, action: str, label: str = "Compute", is_due: object = False
) -> SafeString:
    """The button that computes a page's figures, or a link to the job that does; what is enclosed follows it.

    Reads `computed`, the newest job that is done, and `unfinished`, one that is not. The button is the
    primary one where nothing is computed yet, and where what is computed `is_due` again.
    """
    computed = context.get("computed")
    parameters: dict[str, Any] = {
        "unfinished": context.get("unfinished"),
        "label": "Compute again" if computed else label,
        "is_primary": not computed or is_due,
        "action": action,
        "content": SafeString(content),
    }
    return render_to_string("_components/compute.html", parameters, context["request"])


@register.simple_tag
def undefined(reason: str) -> SafeString:
    """What stands in a table for a value that there is not, and why: {% undefined figure.reason %}."""
    return format_html(
        '<span class="quiet">undefined</span><span class="under reason">{}</span>', reason
    )
