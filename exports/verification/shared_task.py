"""scai_qrecc.json and negatives.json, the release in the form of the shared task's own, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from exports.verification.accepted import EXTRACTED_FROM, deciding_items, turn_of
from exports.verification.findings import Findings
from exports.verification.tables import Rows

TaskRecords = list[dict[str, Any]]
TASK_FILES = ("scai_qrecc.json", "negatives.json")


def task_records(
    name: str,
    silver: Iterable[Mapping[str, Any]],
    accepted: Mapping[str, Sequence[Mapping[str, Any]]],
    tables: Mapping[str, Rows],
    evidence: Rows,
) -> TaskRecords:
    """What the file must hold; `accepted` are the accepted answers of silver.json by turn."""
    if name == "scai_qrecc.json":
        return _correct(silver, accepted, evidence)
    return _wrong(silver, tables["answers"], tables["items"])


def check_task_file(
    name: str, contents: bytes, written: Any, computed: TaskRecords, findings: Findings
) -> None:
    before = len(findings.problems)
    findings.compare(computed, written, name)
    text = json.dumps(computed, ensure_ascii=False, indent=4)
    if len(findings.problems) == before and text.encode("utf-8") != contents:
        findings.complain(name, "holds the same and is not written in the same way")


def check_reference_evidence(rows: Rows, findings: Findings) -> None:
    places: dict[str, int] = {}
    for number, row in enumerate(rows):
        path = f"reference_evidence.csv[{number}]"
        places[row["turn_id"]] = places.get(row["turn_id"], 0) + 1
        findings.compare(str(places[row["turn_id"]]), row["position"], f"{path}.position")
        n = int(row["end"]) - int(row["start"])
        findings.compare(n, len(row["text"]), f"{path}.text (its length)")


def _correct(
    silver: Iterable[Mapping[str, Any]],
    accepted: Mapping[str, Sequence[Mapping[str, Any]]],
    evidence: Rows,
) -> TaskRecords:
    of_reference = _by_turn(evidence)
    found = []
    for record in silver:
        turn = turn_of(record)
        spans = [(row["passage_id"], row["text"]) for row in of_reference.get(turn, ())]
        answers = accepted.get(turn, ())
        correct = [each for each in answers if each["tier"] == "gold"]
        correct += [each for each in answers if each["tier"] != "gold" and EXTRACTED_FROM in each]
        for each in correct:
            spans += [(span["passage_id"], span["text"]) for span in each["evidence"]]
            spans += [(passage, each["answer"]) for passage in each.get(EXTRACTED_FROM, ())]
        if correct or spans:
            texts = [record["Truth_answer"], *(each["answer"] for each in correct)]
            found.append(_task_record(record, texts, spans))
    return found


def _wrong(silver: Iterable[Mapping[str, Any]], answers: Rows, items: Rows) -> TaskRecords:
    deciding = deciding_items(items)
    unfaithful = {row["answer_id"] for row in answers if row["faithfulness"] == "unfaithful"}
    judged = _by_turn([deciding["faithfulness", answer] for answer in unfaithful])
    found = []
    for record in silver:
        rows = judged.get(turn_of(record), ())
        own = sorted((row["answer"], row["evidence"]) for row in rows)
        spans = [span for _, evidence in own for span in json.loads(evidence or "[]")]
        if own:
            sentences = [(span["passage_id"], span["text"]) for span in spans]
            found.append(_task_record(record, [answer for answer, _ in own], sentences))
    return found


def _by_turn(rows: Rows) -> dict[str, Rows]:
    found: dict[str, Rows] = {}
    for row in rows:
        found.setdefault(row["turn_id"], []).append(row)
    return found


def _task_record(
    record: Mapping[str, Any], answers: Iterable[str], spans: Iterable[tuple[str, str]]
) -> dict[str, Any]:
    evidence: dict[str, list[str]] = {}
    for passage, text in dict.fromkeys(spans):
        evidence.setdefault(passage, []).append(text)
    return {
        "ID": turn_of(record),
        "Question": record["Truth_rewrite"],
        "Answers": list(dict.fromkeys(answers)),
        "Evidence": evidence,
    }
