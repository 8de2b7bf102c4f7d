"""What the checks of a release compute from its tables, for tests that compare it with the program's own."""

from pathlib import Path
from typing import Any

from exports.verification.findings import Findings
from exports.verification.intervals import Bootstrap
from exports.verification.recomputed_report import report
from exports.verification.tables import read_table

REPLICATES = 1000


def recomputed(folder: Path, *, seed: int = 0) -> dict[str, Any]:
    """What report.json must hold, intervals too."""
    names = ("judgements", "items", "answers", "precision", "relations")
    tables = {name: read_table(folder, f"{name}.csv") for name in names}
    return report(tables, Bootstrap(seed, REPLICATES))


def differences(computed: object, written: object, path: str = "report") -> list[str]:
    findings = Findings()
    findings.compare(computed, written, path)
    return list(map(str, findings.problems))
