"""What a comparison's job keeps and its page and files tell: the figures of each setup, from rows of one moment."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from exports.comparison.figures import of_setup, setups
from exports.comparison.records_from_rows import Rows, counted, submission
from stats.bootstrap_settings import Bootstrap


def compared_now(
    rows: Rows, bootstrap: Bootstrap, beat: Callable[[], None] = lambda: None
) -> dict[str, Any]:
    """JSON values; `beat` is called after each setup."""
    found = []
    for each in setups(rows.batches, rows.judgements, rows.answers):
        found.append(of_setup(*each, bootstrap))
        beat()
    return {
        "batches": [row.batch for row in rows.batches],
        "n_judgements": len({submission(row) for row in counted(rows.judgements)}),
        "is_rehearsal": any(row.is_rehearsal for row in rows.batches),
        "setups": found,
        "bootstrap": asdict(bootstrap),
    }
