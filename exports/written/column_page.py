"""`columns.md` of written answers, which is docs/columns-of-written-answers.md too. After a change of columns run

.venv/bin/python -m exports.written.column_page > docs/columns-of-written-answers.md
"""

import sys
from typing import Any

from exports.writers.columns import OF_FILES, page
from exports.written.columns import WrittenRow

TABLES: dict[str, type[Any]] = {"written.csv": WrittenRow}
HEAD = f"""\
# The columns of written answers

{OF_FILES} The files of lines beside the table are described in Touchstone's docs/writing.md.
"""

if __name__ == "__main__":
    sys.stdout.buffer.write(page(HEAD, TABLES).encode("utf-8"))
