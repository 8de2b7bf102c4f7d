"""What annotators said of themselves: that background.csv fits the judgements and the manifest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exports.verification.findings import Findings
from exports.verification.tables import Rows

BACKGROUND = "background"
# The kinds of answers that a release can have, by what its manifest says.
KINDS_INCLUDED = {"none": (), "choices": ("choice",), "all": ("choice", "words")}
OWN_ANSWERS = "what people said of themselves: it follows from no table"


def check_background(
    manifest: Mapping[str, Any], rows: Rows, judgements: Rows, findings: Findings
) -> None:
    """Check that each answer is of somebody with a counted judgement, once a question, and of a kind included."""
    people = {row["annotator"] for row in judgements if row["counted"] == "true"}
    allowed = KINDS_INCLUDED.get(manifest.get(BACKGROUND, "none"), ())
    said: set[tuple[str, str]] = set()
    questions: dict[str, tuple[str, str]] = {}
    for at, row in enumerate(rows):
        path = f"background.csv[{at}]"
        if row["annotator"] not in people:
            findings.complain(f"{path}.annotator", "has no counted judgement")
        if row["kind"] not in allowed:
            findings.complain(f"{path}.kind", f"{row['kind']!r} is left out by the manifest")
        if (row["number"], row["annotator"]) in said:
            findings.complain(path, "the annotator answers the question twice")
        said.add((row["number"], row["annotator"]))
        wording = (row["question"], row["kind"])
        findings.compare(questions.setdefault(row["number"], wording), wording, f"{path}.question")
        if not row["answer"]:
            findings.complain(f"{path}.answer", "is empty")
    if rows:
        findings.leave("background.csv[*].answer", OWN_ANSWERS)
