"""docs/columns-of-batches.md. After a change of columns run

.venv/bin/python -m exports.batch_tables.column_page > docs/columns-of-batches.md
"""

import sys
from typing import Any

from exports.batch_tables.columns import SkipRow
from exports.writers.columns import OF_FILES, page

TABLES: dict[str, type[Any]] = {"skips": SkipRow}
HEAD = f"""\
# The columns of a batch's tables

{OF_FILES} (The CSV files of a batch are made for spreadsheets: a text that one would run as a formula has a quote before it.) The tables of judgements and items have the columns of a release's judgements.csv and items.csv (docs/columns.md). Each table has `batch_state` besides: open, paused, closed or settled.
"""

if __name__ == "__main__":
    sys.stdout.buffer.write(page(HEAD, TABLES).encode("utf-8"))
