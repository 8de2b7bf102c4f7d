"""That the tables of a release agree with each other and with the manifest."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from exports.verification.findings import Findings
from exports.verification.per_run import runs_in_order
from exports.verification.relations import RELATIONS_TABLE, check_relations
from exports.verification.tables import Row, Rows

Tables = Mapping[str, Rows]
OF_ITEM = ("batch", "scheme", "turn_id", "is_control", "is_rehearsal")
OF_ANSWER = ("answer", "runs")
FORM_OF_TIMES = "%Y-%m-%dT%H:%M:%S.%fZ"
# A judgement has the time at which its request came, and is counted once it is stored: for so long it can have been on
# its way, earlier than a plan and not among the judgements that the plan counts.
SECONDS_ON_THE_WAY = 60
BACKGROUND = "background"
# The kinds of answers that a release can have, by what its manifest says.
KINDS_INCLUDED = {"none": (), "choices": ("choice",), "all": ("choice", "words")}
OWN_ANSWERS = "what people said of themselves: it follows from no table"


def check_tables(tables: Tables, findings: Findings) -> None:
    items, answers = tables["items"], tables["answers"]
    _check_keys("items", items, ("item_id", "answer_id"), findings)
    _check_keys("answers", answers, ("run", "turn_id"), findings)
    _check_keys("soft_labels", tables["soft_labels"], ("item_id", "label"), findings)
    _check_keys("precision", tables["precision"], ("audit", "answer_id"), findings)
    _check_judgements(tables["judgements"], items, findings)
    _check_items(items, answers, findings)
    _check_counts(tables["judgements"], items, findings)
    _check_answers(answers, findings)
    _check_runs(tables, findings)
    _check_precision(tables["precision"], items, answers, findings)
    _check_keys("relations", tables[RELATIONS_TABLE], ("item_id",), findings)
    check_relations(items, answers, tables["judgements"], tables[RELATIONS_TABLE], findings)


def _check_keys(name: str, rows: Rows, columns: tuple[str, ...], findings: Findings) -> None:
    known: dict[tuple[str, ...], int] = {}
    for number, row in enumerate(rows):
        key = tuple(row[column] for column in columns)
        if known.setdefault(key, number) != number:
            findings.complain(
                f"{name}.csv[{number}]", f"{' '.join(key)} is in row {known[key]} too"
            )


def _check_judgements(judgements: Rows, items: Rows, findings: Findings) -> None:
    by_item = {row["item_id"]: row for row in items}
    by_answer = {(row["item_id"], row["answer_id"]): row for row in items}
    asked: dict[tuple[str, ...], int] = {}
    for number, row in enumerate(judgements):
        path = f"judgements.csv[{number}]"
        key = tuple(
            row[column]
            for column in ("assignment_id", "submitted_at", "question", "answer_id", "passage_id")
        )
        if asked.setdefault(key, number) != number:
            findings.complain(path, f"is row {asked[key]} again")
        item = by_item.get(row["item_id"])
        answer = by_answer.get((row["item_id"], row["answer_id"]))
        if item is None or (row["answer_id"] and answer is None):
            findings.complain(path, f"items.csv has no {row['item_id']} {row['answer_id']}")
            continue
        _compare_columns(item, row, OF_ITEM, path, findings)
        if answer is not None and row["answer_id"]:
            _compare_columns(answer, row, OF_ANSWER, path, findings)
        _check_fate(row, path, findings)


def _check_fate(row: Row, path: str, findings: Findings) -> None:
    if row["counted"] == "true" and "true" in (row["withdrawn"], row["surplus"]):
        findings.complain(path, "is counted, and withdrawn or surplus")
    is_compared = (row["counted"], row["is_control"]) == ("true", "false")
    if bool(row["round"]) != is_compared:
        findings.complain(f"{path}.round", f"{row['round']!r} does not go with counted")


def _compare_columns(
    computed: Row, written: Row, columns: Iterable[str], path: str, findings: Findings
) -> None:
    for column in columns:
        if computed[column] != written[column]:
            findings.compare(computed[column], written[column], f"{path}.{column}")


def _check_items(items: Rows, answers: Rows, findings: Findings) -> None:
    runs: dict[str, set[str]] = defaultdict(set)
    texts: dict[str, str] = {}
    for row in answers:
        if row["answer_id"]:
            runs[row["answer_id"]].add(row["run"])
            texts[row["answer_id"]] = row["answer"].strip()
    ids = {row["item_id"] for row in items}
    for number, row in enumerate(items):
        path = f"items.csv[{number}]"
        if row["came_from"] and row["came_from"] not in ids:
            findings.complain(f"{path}.came_from", f"items.csv has no {row['came_from']}")
        if row["answer_id"]:
            findings.compare("|".join(sorted(runs[row["answer_id"]])), row["runs"], f"{path}.runs")
            findings.compare(answer_id(row), row["answer_id"], f"{path}.answer_id")
            if row["answer_id"] in texts:
                findings.compare(texts[row["answer_id"]], row["answer"], f"{path}.answer")
        _check_evidence(row, path, findings)


def answer_id(row: Row) -> str:
    """The id that an answer has by its turn and text."""
    text = row["answer"].strip().encode("utf-8")
    return f"{row['turn_id']}:{hashlib.sha256(text).hexdigest()[:16]}"


def _check_evidence(row: Row, path: str, findings: Findings) -> None:
    spans = json.loads(row["evidence"]) if row["evidence"] else ()
    for column in ("quoted_by", "cited_by"):
        of_spans = {run for span in spans for run in span[column]}
        findings.compare("|".join(sorted(of_spans)), row[column], f"{path}.{column}")


def _check_counts(judgements: Rows, items: Rows, findings: Findings) -> None:
    """How many judgements of an item are counted."""
    submissions: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for row in judgements:
        if row["counted"] == "true":
            submissions[row["item_id"]].add((row["assignment_id"], row["submitted_at"]))
    for number, row in enumerate(items):
        if row["is_control"] == "false":
            n = str(len(submissions[row["item_id"]]))
            findings.compare(n, row["n_counted"], f"items.csv[{number}].n_counted")


def _check_answers(answers: Rows, findings: Findings) -> None:
    for number, row in enumerate(answers):
        path = f"answers.csv[{number}]"
        if row["sampled"] == "drawn":
            findings.compare(answer_id(row), row["answer_id"], f"{path}.answer_id")
        elif row["answer_id"]:
            findings.complain(f"{path}.answer_id", "an answer that was not drawn has none")
        turn = row["represented_by"].rpartition(":")[0]
        if turn not in ("", row["turn_id"]):
            findings.compare(row["turn_id"], turn, f"{path}.represented_by")


def _check_runs(tables: Tables, findings: Findings) -> None:
    """per_run.csv has each run of answers.csv, in order, with as many answers."""
    answers, per_run = tables["answers"], tables["per_run"]
    n_answers = Counter(row["run"] for row in answers)
    expected = [[run, str(n_answers[run])] for run in runs_in_order(answers)]
    findings.compare(expected, [[row["run"], row["n_answers"]] for row in per_run], "per_run.csv")


def _check_precision(precision: Rows, items: Rows, answers: Rows, findings: Findings) -> None:
    texts = {row["answer_id"]: row["answer"] for row in items}
    tiers = {row["answer_id"]: row["tier"] for row in answers}
    for number, row in enumerate(precision):
        path = f"precision.csv[{number}]"
        if row["answer_id"] in texts:
            findings.compare(texts[row["answer_id"]], row["answer"], f"{path}.answer")
        findings.compare(tiers.get(row["answer_id"], ""), row["tier_now"], f"{path}.tier_now")
        findings.compare(_holds(row), row["holds"], f"{path}.holds")


def _holds(row: Row) -> str:
    plausible, faithful = row["plausibility"], row["faithfulness"]
    if not plausible or (plausible == "plausible" and row["tier"] == "gold" and not faithful):
        return ""
    is_faithful = row["tier"] == "silver" or faithful == "faithful"
    return "true" if plausible == "plausible" and is_faithful else "false"


def check_manifest(
    manifest: Mapping[str, Any], tables: Tables, report: Mapping[str, Any], findings: Findings
) -> None:
    """That the manifest, the tables and the report speak of the same."""
    items, answers = tables["items"], tables["answers"]
    rows = [*items, *answers, *tables["judgements"]]
    for row in first_of_each(rows, "study"):
        findings.compare(manifest["study"], row["study"], "manifest.json.study")
    for row in first_of_each([*items, *tables["judgements"]], "is_rehearsal"):
        is_rehearsal = row["is_rehearsal"] == "true"
        findings.compare(manifest["is_rehearsal"], is_rehearsal, "manifest.json.is_rehearsal")
    dataset = f"{manifest['dataset']['name']}@{manifest['dataset']['version']}"
    for row in first_of_each(answers, "dataset"):
        findings.compare(dataset, row["dataset"], "manifest.json.dataset")
    findings.compare(report["accepted"], manifest["accepted"], "manifest.json.accepted")
    earlier = manifest.get("accepted_earlier")
    findings.compare(report.get("accepted_earlier"), earlier, "manifest.json.accepted_earlier")
    left_out = [each["name"] for each in manifest.get("left_out", [])]
    findings.compare(left_out, report.get("left_out", []), "report.json.left_out")
    _check_named(
        "batch",
        items,
        {each["name"]: each["scheme"] for each in manifest["batches"]},
        "scheme",
        findings,
    )
    _check_named(
        "run", answers, {each["name"]: each["kind"] for each in manifest["runs"]}, "kind", findings
    )
    _check_guidelines(manifest, tables["judgements"], findings)


def first_of_each(rows: Rows, column: str) -> list[Row]:
    """One row of each value."""
    return list({row[column]: row for row in reversed(rows)}.values())


def _check_named(
    column: str, rows: Rows, kinds: Mapping[str, str], of: str, findings: Findings
) -> None:
    for row in first_of_each(rows, column):
        path = f"manifest.json.{column}s.{row[column]}"
        if row[column] not in kinds:
            findings.complain(path, f"the manifest has no {column} {row[column]!r}")
        else:
            findings.compare(row[of], kinds[row[column]], f"{path}.{of}")


def _check_guidelines(manifest: Mapping[str, Any], judgements: Rows, findings: Findings) -> None:
    known: dict[str, set[str]] = {}
    for at, batch in enumerate(manifest["batches"]):
        versions = [each["sha256"] for each in batch.get("guideline_versions", [])]
        known[batch["name"]] = {batch["guideline_sha256"], *versions}
        file = batch.get("guideline_file")
        if file:
            path = f"manifest.json.batches[{at}].guideline_sha256"
            findings.compare(manifest["files"].get(file), batch["guideline_sha256"], path)
    for number, row in enumerate(judgements):
        if row["guideline_sha256"] not in known.get(row["batch"], set()):
            path = f"judgements.csv[{number}].guideline_sha256"
            findings.complain(path, "is of no guideline that the manifest has for the batch")


def check_plans(manifest: Mapping[str, Any], judgements: Rows, findings: Findings) -> None:
    """Check each plan against its file, and its time against those of the judgements in the tables.

    The tables lack what was taken back, so that there may have been more judgements than they have, never fewer
    but for those that were on their way.
    """
    submitted: dict[str, set[tuple[str, str]]] = {}
    for row in judgements:
        at = (row["submitted_at"], row["assignment_id"])
        submitted.setdefault(row["batch"], set()).add(at)
    for at_batch, batch in enumerate(manifest["batches"]):
        for at_plan, plan in enumerate(batch.get("analysis_plans", [])):
            path = f"manifest.json.batches[{at_batch}].analysis_plans[{at_plan}]"
            findings.compare(manifest["files"].get(plan["file"]), plan["sha256"], f"{path}.sha256")
            is_before = plan["n_judgements"] == 0
            findings.compare(
                is_before, plan["is_before_judgements"], f"{path}.is_before_judgements"
            )
            try:
                until = _counted_until(plan["frozen_at"])
            except (ValueError, TypeError, OverflowError):
                findings.complain(f"{path}.frozen_at", f"{plan['frozen_at']!r} is no time")
                continue
            times = submitted.get(batch["name"], set())
            n_before = sum(time < until for time, _ in times)
            if n_before > plan["n_judgements"]:
                problem = (
                    f"{n_before} judgements in the tables were submitted more than {SECONDS_ON_THE_WAY} s"
                    f" before {plan['frozen_at']}"
                )
                findings.complain(f"{path}.n_judgements", problem)


def _counted_until(frozen_at: str) -> str:
    """Return the time before which a plan counts each judgement. Raises ValueError, TypeError or OverflowError."""
    # Times are UTC, and compared as they are written.
    at = datetime.strptime(frozen_at, FORM_OF_TIMES)  # noqa: DTZ007
    return (at - timedelta(seconds=SECONDS_ON_THE_WAY)).strftime(FORM_OF_TIMES)


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
