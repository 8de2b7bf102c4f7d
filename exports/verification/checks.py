"""The six checks of a release."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from functools import lru_cache
from math import isclose
from pathlib import Path
from typing import Any

from exports.verification.accepted import (
    accepted_in,
    check_earlier,
    check_outcomes,
    check_precedence,
    check_same_truth,
    check_truth,
    deciding_items,
    numbers_of_earlier,
)
from exports.verification.column_types import Columns, check_columns, columns_of
from exports.verification.crossings import (
    BACKGROUND,
    check_background,
    check_manifest,
    check_plans,
    check_tables,
)
from exports.verification.errata import check_errata, read_errata
from exports.verification.files import check_files
from exports.verification.findings import Findings
from exports.verification.intervals import Bootstrap
from exports.verification.libraries import ARE_INSTALLED, INSTALL
from exports.verification.per_run import per_run
from exports.verification.privacy import check_people
from exports.verification.recomputed_report import report
from exports.verification.relations import RELATIONS_TABLE
from exports.verification.shared_task import (
    TASK_FILES,
    check_reference_evidence,
    check_task_file,
    task_records,
)
from exports.verification.tables import (
    Rows,
    UnreadableError,
    parsed,
    read_bytes,
    read_header,
    read_json,
    read_table,
)
from exports.verification.verdicts import ballots, by_rule, ends_by_rule, soft_labels

TABLES = ("judgements", "items", "answers", "per_run", "soft_labels", "precision", RELATIONS_TABLE)
REFERENCE_EVIDENCE = "reference_evidence"
ROUNDED = 2e-6  # a posterior has six decimals
BY_HAND = "somebody decided it, no rule"
OWN_WORDS = "the truth itself: both files must say the same, the data set is not at hand"
SOURCES = "what the release was made from, its settings and times: they are not in its tables"
NO_TABLE = "follows from no table"
EARLIER = "earlier.json"
ANOTHER_RELEASE = "accepted answers of an earlier release, which is not at hand"


class Release:
    """What is in the folder, read when it is asked for."""

    def __init__(self, folder: Path, manifest: Mapping[str, Any], *, with_intervals: bool) -> None:
        self.folder, self.manifest, self.with_intervals = folder, manifest, with_intervals
        self.is_comparison = manifest.get("contents") == "comparison"
        self.table = lru_cache(maxsize=None)(self._table)

    def _table(self, name: str) -> Rows:
        return read_table(self.folder, f"{name}.csv")

    @property
    def tables(self) -> dict[str, Rows]:
        return {name: self.table(name) for name in TABLES}

    @property
    def columns(self) -> Columns:
        return columns_of(self.folder)

    @property
    def earlier(self) -> dict[str, list[dict[str, Any]]]:
        """By turn, the accepted answers that are those of an earlier release."""
        if EARLIER not in self.manifest["files"]:
            return {}
        found = read_json(self.folder, EARLIER)
        if not isinstance(found, dict):
            raise UnreadableError(f"{EARLIER}: is not an object")
        return found

    @property
    def report(self) -> dict[str, Any]:
        found = read_json(self.folder, "report.json")
        if not isinstance(found, dict):
            raise UnreadableError("report.json: is not an object")
        return found


def files_are_unchanged(release: Release, findings: Findings) -> None:
    check_files(release.folder, release.manifest["files"], findings)


def tables_agree(release: Release, findings: Findings) -> None:
    names = () if release.is_comparison else (*TABLES, REFERENCE_EVIDENCE, BACKGROUND)
    for name in sorted({f"{name}.csv" for name in names} - release.columns.keys()):
        findings.complain("columns.md", f"does not describe {name}")
    for name in release.columns:
        rows = release.table(name.partition(".")[0])
        header = read_header(release.folder, name)
        check_columns(name, header, rows, release.columns, findings)
    check_plans(
        release.manifest, [] if release.is_comparison else release.table("judgements"), findings
    )
    if release.is_comparison:
        findings.leave("the tables", "that they agree: this is a release of a comparison")
        return
    check_tables(release.tables, findings)
    check_reference_evidence(release.table(REFERENCE_EVIDENCE), findings)
    background = release.table(BACKGROUND)
    check_background(release.manifest, background, release.table("judgements"), findings)
    check_manifest(release.manifest, release.tables, release.report, findings)
    findings.leave("manifest.json", SOURCES)
    findings.leave("README.md", "words")


def verdicts_follow(release: Release, findings: Findings) -> None:
    items, judgements = release.table("items"), release.table("judgements")
    written = release.table("soft_labels")
    computed = soft_labels(items, judgements, written, with_posteriors=ARE_INSTALLED)
    _check_soft_labels(computed, written, findings)
    likely: dict[str, dict[str, float]] = defaultdict(dict)
    for row in written:
        if row["posterior"]:
            likely[row["item_id"]][row["label"]] = float(row["posterior"])
    ended, votes = by_rule(items, judgements, likely), ballots(judgements)
    loads = lru_cache(maxsize=1024)(json.loads)  # few of these texts differ
    for number, item in enumerate(items):
        path = f"items.csv[{number}]"
        if item["item_id"] in ended and ends_by_rule(item):
            for column, value in ended[item["item_id"]].items():
                findings.compare(value, item[column], f"{path}.{column}")
            counts = dict(Counter(votes.get(item["item_id"], {}).values()))
            findings.compare(counts, loads(item["votes"]), f"{path}.votes")
            for label, chance in loads(item["posterior"] or "{}").items():
                mine = likely[item["item_id"]].get(label)
                _compare_chance(mine, chance, f"{path}.posterior.{label}", findings)
        elif item["is_control"] == "false" and item["state"]:
            findings.leave("items.csv[*].verdict", BY_HAND)


def _check_soft_labels(computed: list[dict[str, Any]], written: Rows, findings: Findings) -> None:
    findings.compare(len(computed), len(written), "soft_labels.csv (its length)")
    for number, (mine, theirs) in enumerate(zip(computed, written)):
        path = f"soft_labels.csv[{number}]"
        chance = float(theirs["posterior"]) if theirs["posterior"] else None
        if ARE_INSTALLED:
            _compare_chance(mine["posterior"], chance, f"{path}.posterior", findings)
        else:
            findings.leave(f"{path}.posterior", INSTALL)
        texts = {**mine, "n_votes": str(mine["n_votes"]), "vote_share": _cell(mine["vote_share"])}
        texts["posterior"] = theirs["posterior"]
        if texts != theirs:
            findings.compare(texts, {key: theirs[key] for key in texts}, path)


def _compare_chance(mine: Any, written: Any, path: str, findings: Findings) -> None:
    if mine is None or written is None or not isclose(mine, written, abs_tol=ROUNDED, rel_tol=0):
        findings.compare(mine, written, path)


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


def truth_is_extended(release: Release, findings: Findings) -> None:
    answers, items = release.table("answers"), release.table("items")
    check_outcomes(answers, items, findings)
    check_precedence(items, findings)
    truths = {}
    for name in ("gold.json", "silver.json"):
        contents = read_bytes(release.folder, name)
        truths[name] = _records(contents, name)
        check_truth(name, contents, truths[name], release.tables, release.earlier, findings)
    check_earlier(release.earlier, deciding_items(items), answers, findings)
    check_same_truth(truths["gold.json"], truths["silver.json"], findings)
    number = release.manifest["release"]
    check_errata(release.folder, number, answers, release.earlier, findings)
    _check_task_files(release, truths["silver.json"], findings)
    findings.leave("gold.json[*].Truth_*", OWN_WORDS)
    if release.earlier:
        findings.leave(EARLIER, ANOTHER_RELEASE)


def _check_task_files(release: Release, silver: list[dict[str, Any]], findings: Findings) -> None:
    evidence = release.table(REFERENCE_EVIDENCE)
    accepted = accepted_in(silver)
    for name in TASK_FILES:
        contents = read_bytes(release.folder, name)
        computed = task_records(name, silver, accepted, release.tables, evidence)
        check_task_file(name, contents, _records(contents, name), computed, findings)


def _records(contents: bytes, name: str) -> list[dict[str, Any]]:
    records = parsed(contents, name)
    if not isinstance(records, list) or not all(isinstance(each, dict) for each in records):
        raise UnreadableError(f"{name}: is not a list of records")
    return records


def report_follows(release: Release, findings: Findings) -> None:
    written = release.report
    drawn = written.get("bootstrap", {})
    bootstrap = Bootstrap(drawn["seed"], drawn["replicates"], release.with_intervals)
    for key in ("versions", "left_out"):
        if key in written:
            del written[key]
            findings.leave(f"report.json.{key}", NO_TABLE)
    computed = report(release.tables, bootstrap)
    if release.earlier:
        computed["accepted_earlier"] = numbers_of_earlier(
            release.earlier, release.table("answers"), deciding_items(release.table("items"))
        )
    findings.compare(computed, written, "report.json")
    rows = [
        {key: _cell(value) for key, value in row.items()}
        for row in per_run(release.table("answers"))
    ]
    findings.compare(rows, [dict(row) for row in release.table("per_run")], "per_run.csv")


def nobody_is_named(release: Release, findings: Findings) -> None:
    names = [name.partition(".")[0] for name in release.columns]
    tables = {f"{name}.csv": release.table(name) for name in names}
    texts = {"manifest.json.note": release.manifest.get("note", "")}
    for at, erratum in enumerate(read_errata(release.folder)):
        texts[f"errata.json[{at}].reason"] = erratum["reason"]
    check_people(tables, {} if release.is_comparison else release.report, texts, findings)


Check = Callable[[Release, Findings], None]
CHECKS: Mapping[str, Check] = {
    "the files are those of the manifest": files_are_unchanged,
    "the tables agree with each other": tables_agree,
    "the verdicts follow from the judgements": verdicts_follow,
    "gold.json, silver.json and the shared task's files follow from the tables": truth_is_extended,
    "report.json and per_run.csv follow from the tables": report_follows,
    "nobody is named": nobody_is_named,
}
# Those of a data set alone.
OF_DATASETS = (verdicts_follow, truth_is_extended, report_follows)
