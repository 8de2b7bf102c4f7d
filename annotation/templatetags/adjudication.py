from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.simple_tag
def value_of(by_key: Mapping[int, Any], key: int) -> Any:
    return by_key[key]
