"""`columns.md` of a release, which is docs/columns.md too. After a change of columns run

.venv/bin/python -m exports.releases.column_page > docs/columns.md
"""

import sys
from typing import Any

from exports.rows.columns import AnswerRow, ItemRow, JudgementRow, RunRow
from exports.rows.derived_columns import (
    BackgroundRow,
    PrecisionRow,
    ReferenceEvidenceRow,
    RelationRow,
    SoftLabelRow,
)
from exports.writers.columns import OF_FILES, page

TABLES: dict[str, type[Any]] = {
    "judgements.csv": JudgementRow,
    "items.csv": ItemRow,
    "answers.csv": AnswerRow,
    "per_run.csv": RunRow,
    "soft_labels.csv": SoftLabelRow,
    "precision.csv": PrecisionRow,
    "reference_evidence.csv": ReferenceEvidenceRow,
    "relations.csv": RelationRow,
    "background.csv": BackgroundRow,
}
HEAD = f"""\
# The columns of a release's tables

{OF_FILES} How the numbers of `report.json`, `per_run.csv` and `soft_labels.csv` follow from the other tables is in Touchstone's docs/report.md.
"""

if __name__ == "__main__":
    sys.stdout.buffer.write(page(HEAD, TABLES).encode("utf-8"))
