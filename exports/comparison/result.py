"""The result of a comparison's job, which its page and its files show."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from exports.comparison.figures import setup_figures
from exports.comparison.records_from_rows import Rows, counted_rows, submission_id
from exports.comparison.setups import setups
from exports.primary_comparison.families import notes, with_families
from stats.bootstrap_settings import Bootstrap


def comparison_result(
    rows: Rows,
    bootstrap: Bootstrap,
    beat: Callable[[], None] = lambda: None,
    *,
    primary: Mapping[str, Any] | None = None,
    left_out: Sequence[str] = (),
) -> dict[str, Any]:
    """The figures of each setup as JSON values. `beat` is called after each setup.

    `primary` is the study's primary comparison (`exports.primary_comparison.queries`), `left_out` the batches that it
    rests on and these figures do not: then none of their tests is primary.
    """
    found = []
    for each in setups(rows.batches, rows.judgements, rows.answers):
        found.append(setup_figures(*each, bootstrap))
        beat()
    open_batches = [row.batch for row in rows.batches if row.state != "closed"]
    pools = [setup["pool"] for setup in found]
    return {
        "primary_comparison": primary,
        "open_batches": open_batches,
        "notes": notes(primary, pools, open_batches, left_out),
        "batches": [row.batch for row in rows.batches],
        "n_judgements": len({submission_id(row) for row in counted_rows(rows.judgements)}),
        "is_rehearsal": any(row.is_rehearsal for row in rows.batches),
        "setups": with_families(found, None if left_out else primary),
        "bootstrap": asdict(bootstrap),
    }
