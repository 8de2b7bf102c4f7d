from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.simple_tag
def shown(payloads: Mapping[int, Any], item: int) -> Any:
    """What an item shows, of the payloads that were read for the page."""
    return payloads[item]
