"""The log as it would be written to standard error."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from config.log_lines import Context, TextLines


@contextmanager
def written_to(
    stream: TextIO, lines: type[logging.Formatter] = TextLines, level: int = logging.INFO
) -> Iterator[None]:
    """Write what is logged at the level into the stream, through the filter and formatter of the settings."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(lines())
    handler.addFilter(Context())
    root = logging.getLogger()
    earlier = root.level
    root.addHandler(handler)
    root.setLevel(level)
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(earlier)
