"""`columns.md` of a comparison of runs, which is docs/columns-of-comparisons.md too. After a change of columns run

.venv/bin/python -m exports.comparison.column_page > docs/columns-of-comparisons.md
"""

import sys
from typing import Any

from exports.comparison import columns
from exports.rows.columns import JudgementRow
from exports.writers.columns import OF_FILES, page

TABLES: dict[str, type[Any]] = {
    "batches.csv": columns.BatchRow,
    "judgements.csv": JudgementRow,
    "answers.csv": columns.AnswerRow,
    "ratings_long.csv": columns.LongRatingRow,
    "preferences_long.csv": columns.LongPreferenceRow,
    "systems.csv": columns.SystemRow,
    "pairs.csv": columns.PairRow,
    "automatic.csv": columns.AutomaticRow,
}
HEAD = f"""\
# The columns of a comparison's tables

{OF_FILES} (The files that the page offers are made for spreadsheets: a text that one would run as a formula has a quote before it.) How the figures follow from the first three is in Touchstone's docs/comparing.md.
"""

if __name__ == "__main__":
    sys.stdout.buffer.write(page(HEAD, TABLES).encode("utf-8"))
