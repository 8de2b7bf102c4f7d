"""The files of a release without random ids and times, for comparison with another release."""

import csv
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Random, so that nobody can guess an address.
IDS = {
    "items.csv": ("item_id", "came_from"),
    "judgements.csv": ("item_id", "assignment_id"),
    "soft_labels.csv": ("item_id",),
}
# When people worked, and how long.
TIMES = {
    "items.csv": ("decided_at",),
    "judgements.csv": ("shown_at", "submitted_at", "active_seconds"),
    "soft_labels.csv": (),
}
# Files that hold neither.
SAME_BYTES = ("README.md", "answers.csv", "per_run.csv", "columns.md", "evaluate.py")

Rows = list[dict[str, str]]


@dataclass(frozen=True)
class ReleaseFolder:
    """The folder of a release."""

    folder: Path

    def names(self) -> set[str]:
        files = (path for path in self.folder.rglob("*") if path.is_file())
        return {str(path.relative_to(self.folder)) for path in files}

    def json(self, name: str) -> Any:
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def digest(self, name: str) -> str:
        return hashlib.sha256((self.folder / name).read_bytes()).hexdigest()

    def table(self, name: str) -> Rows:
        """The rows without times, sorted; an item is named by its batch and answer."""
        called = {
            row["item_id"]: f"{row['batch']} {row['answer_id']}" for row in self._rows("items.csv")
        }
        rows = self._rows(name)
        for row in rows:
            for column in IDS[name]:
                row[column] = called.get(row[column], "" if not row[column] else "drawn")
            for column in TIMES[name]:
                assert row.pop(column), f"{name}: no {column}"
        return sorted(rows, key=lambda row: json.dumps(row))

    def _rows(self, name: str) -> Rows:
        with (self.folder / name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def extended(self, name: str) -> Any:
        """gold.json or silver.json, without when answers were accepted."""
        records = self.json(name)
        for record in records:
            for answer in record["Truth_answers_alternative"]:
                assert answer.pop("accepted_at")
        return records

    def report(self) -> Any:
        """Every number but those on how long people worked."""
        report = self.json("report.json")
        for batch in report["batches"]:
            for figures in batch["agreement"].values():
                figures.pop("over_time")  # windows of when people judged
            time = batch.pop("active_time")
            assert time["n_judgements"] == batch["n_judgements"]["all"]
        return report

    def manifest(self) -> Any:
        """Without the clock, and the hashes of files that hold ids or times."""
        manifest = self.json("manifest.json")
        assert manifest.pop("created_at")
        manifest["files"] = {
            name: sha256 if is_same_bytes(name) else ""
            for name, sha256 in manifest["files"].items()
        }
        return manifest


def is_same_bytes(name: str) -> bool:
    return name in SAME_BYTES or name.startswith("guidelines/")
