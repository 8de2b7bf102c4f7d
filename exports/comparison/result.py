"""The result of a comparison's job, which its page and its files show."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from exports.comparison.figures import setup_figures, setups
from exports.comparison.records_from_rows import Rows, counted_rows, submission_id
from stats.bootstrap_settings import Bootstrap


def comparison_result(
    rows: Rows, bootstrap: Bootstrap, beat: Callable[[], None] = lambda: None
) -> dict[str, Any]:
    """The figures of each setup as JSON values. `beat` is called after each setup."""
    found = []
    for each in setups(rows.batches, rows.judgements, rows.answers):
        found.append(setup_figures(*each, bootstrap))
        beat()
    return {
        "batches": [row.batch for row in rows.batches],
        "n_judgements": len({submission_id(row) for row in counted_rows(rows.judgements)}),
        "is_rehearsal": any(row.is_rehearsal for row in rows.batches),
        "setups": found,
        "bootstrap": asdict(bootstrap),
    }
