r"""Lines of CLAP-NQ's files in their canonical form, so that they can be written back byte for byte.

    line = line_of({"id": "7", "input": "…", "passages": […], "output": […]})

Compact JSON, ASCII only, "/" written as "\/". The order of the keys is that of the record: it
differs between the published files and even within one.
"""

import json
from collections.abc import Mapping
from typing import Any


def line_of(record: Mapping[str, object]) -> str:
    r"""Return the record's line, without its line end.

    Right: {"id": "7", "input": "é/"} → {"id":"7","input":"\u00e9\/"}.
    """
    # In JSON a slash stands within strings only.
    return json.dumps(record, separators=(",", ":"), ensure_ascii=True).replace("/", "\\/")


def record_of(line: str) -> dict[str, Any]:
    """Return the record that `line_of` wrote."""
    values: dict[str, Any] = json.loads(line)
    return values
