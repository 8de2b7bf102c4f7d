"""The cells of a run by each choice of references."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import template

register = template.Library()


@register.filter
def cells(run: Mapping[str, Any], choices: Sequence[str]) -> list[dict[str, float | None]]:
    parts = {"mean": "means", "place": "places", "change": "changes"}
    return [{name: run[part].get(choice) for name, part in parts.items()} for choice in choices]


@register.filter
def signed(value: float) -> str:
    """Return a change of places with its sign: half a place where runs are tied."""
    return f"{value:+g}".replace("-", "\u2212")
