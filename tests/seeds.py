"""Seeds and sizes of which make test takes the first, and make test-all all."""

from typing import Any

import pytest


def first_of(*values: Any) -> list[Any]:
    """The first value, and the others with the marker slow."""
    first, *others = values
    return [first, *(pytest.param(each, marks=pytest.mark.slow) for each in others)]
