"""Components that enclose the template's text between two tags."""

from typing import Any

from django import template
from django.template.context import Context
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


def _attributes(**values: str) -> SafeString:
    """Return the attributes that have a value, each after a space."""
    given = [format_html(' {}="{}"', name, value) for name, value in values.items() if value]
    return SafeString("".join(given))


@register.simple_block_tag
def table(content: str, label: str, css: str = "", id: str = "") -> SafeString:
    """Return a table that scrolls sideways by touch and arrow keys, in a region labelled `label`.

    Right: {% table "Runs" css="narrow" id="runs" %}<thead>…</thead><tbody>…</tbody>{% endtable %}
    `css` is the class of the table, `id` that of the region.
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
    """Return one line of <dl class="facts">: {% fact "Items" %}12{% endfact %}."""
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
    """Return the state of a page's figures, with the button that computes them.

    The state is the time and basis of the computation and the changes since. While the job runs,
    its progress replaces the button. The enclosed text follows the button. `stored` is a
    jobs.stored_figures.StoredFigures. The button is the primary one if the figures are due, unless
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
    """Return the cell of an undefined value with its reason: {% undefined figure.reason %}."""
    return format_html(
        '<span class="quiet">undefined</span><span class="under reason">{}</span>', reason
    )


@register.simple_tag
def svg_start(picture: Any, kind: str, description: str, alone: object) -> SafeString:
    """Return the start tag of a picture with its size: {% svg_start grid "confusion" description alone %}.

    A picture that is a file by itself (`alone`) names its XML namespace.
    """
    return format_html(
        '<svg class="chart {}" viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-label="{}"{}>',
        *(kind, picture.width, picture.height, picture.width, picture.height, description),
        SafeString(' xmlns="http://www.w3.org/2000/svg"' if alone else ""),
    )
