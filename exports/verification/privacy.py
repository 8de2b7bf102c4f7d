"""That nothing in a release names a person: no id of a provider, no name, no e-mail address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from exports.verification.findings import Findings
from exports.verification.tables import Rows

PSEUDONYM = re.compile(r"p[0-9]{4,}")
EMAIL = re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)*\.[A-Za-z]{2,}")
# Prolific names people, studies and submissions by 24 hexadecimal digits, Mechanical Turk workers by an A and
# 11 to 20 capitals and digits. In a word (APPROXIMATELY, ASTRAZENECA2021) or a number (A20231127120000) no capital
# follows a digit; in an id none does by chance in about one of forty.
PROVIDER_ID = re.compile(
    r"(?<![^\W_])([0-9a-f]{24}|A(?=[0-9A-Z]*[0-9][A-Z])[0-9A-Z]{11,20})(?![^\W_])"
)
NAMING = (("an e-mail address", EMAIL), ("an id of a provider", PROVIDER_ID))
# Columns of what people wrote. Questions, answers and passages are the systems', and may hold anything.
WRITTEN = {
    "judgements.csv": (
        *("annotator", "assignment_id", "comment", "paid_reason", "counted_reason"),
        "text",
    ),
    "precision.csv": ("plausibility_comment", "faithfulness_comment"),
    "background.csv": ("answer",),
}
PERSONAL = re.compile(
    r"(e_?mail|user_?name|first_?name|last_?name|prolific|worker_?id|participant)"
)
TEXTS = (
    "names in the words of people, guidelines, plans, questions, answers and passages: read them"
)


def check_people(
    tables: Mapping[str, Rows], report: Any, texts: Mapping[str, str], findings: Findings
) -> None:
    """Check the tables, the report, and by their paths `texts` that people wrote besides."""
    for name, rows in tables.items():
        for column in rows[0] if rows else ():
            if PERSONAL.search(column.lower()):
                findings.complain(name, f"the column {column} is one of persons")
    people = {row["annotator"] for row in tables.get("judgements.csv", ())}
    for name, rows in tables.items():
        for number, row in enumerate(rows if rows and "annotator" in rows[0] else ()):
            if not PSEUDONYM.fullmatch(row["annotator"]):
                where = f"{name}[{number}].annotator"
                findings.complain(where, f"{row['annotator']!r} is no pseudonym")
    for name, columns in WRITTEN.items():
        for column in columns:
            _check_cells(name, column, tables.get(name, []), findings)
    check_texts(texts, findings)
    _check_report(report, people, findings)
    findings.leave("all files", TEXTS)


def _check_cells(name: str, column: str, rows: Rows, findings: Findings) -> None:
    if not rows or column not in rows[0]:
        return  # checks.py says which columns must be there
    whole = "\n".join([row[column] for row in rows])
    if any(pattern.search(whole) for _, pattern in NAMING):  # none goes on over the end of a line
        texts = {f"{name}[{at}].{column}": row[column] for at, row in enumerate(rows)}
        check_texts(texts, findings)


def check_texts(texts: Mapping[str, str], findings: Findings) -> None:
    """Check texts by their paths for e-mail addresses and ids of a provider."""
    for path, text in texts.items():
        for what, pattern in NAMING:
            if pattern.search(text):
                findings.complain(path, f"holds {what}")


def _check_report(report: Any, people: set[str], findings: Findings) -> None:
    for at, batch in enumerate(report.get("batches", [])):
        for question, figures in batch.get("agreement", {}).items():
            named = figures.get("by_annotator", {}).get("annotators", [])
            for each in named:
                if each["annotator"] not in people:
                    where = f"report.json.batches[{at}].agreement.{question}.by_annotator"
                    findings.complain(where, f"{each['annotator']!r} judged nothing")
