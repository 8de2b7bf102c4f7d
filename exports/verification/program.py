"""The program: it reads the arguments, makes the checks, and prints what they find."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exports.verification.checks import CHECKS, OF_DATASETS, Check, Release
from exports.verification.files import MANIFEST, read_manifest, sha256
from exports.verification.findings import Complaint, Findings
from exports.verification.libraries import INSTALL
from exports.verification.tables import UnreadableError

COPY = "verify.py"
SHOWN = 50
# What contents that are not as documented can raise where they are computed with.
BROKEN = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
NOT_CHECKED = (
    "Not checked: posteriors, agreement, rates and comparisons of runs, and precision audits:"
    f" {INSTALL}."
)
COMPARISON = "this is a release of a comparison of systems"


@dataclass
class Outcome:
    """What the checks found, by name of the check."""

    manifest: dict[str, Any] = field(default_factory=dict)
    found: dict[str, Findings] = field(default_factory=dict)
    copy: str = ""  # the sha256 of the verify.py in the release, if it has one

    @property
    def is_good(self) -> bool:
        return not any(each.problems for each in self.found.values())


def verify(place: Path, *, with_intervals: bool = False) -> Outcome:
    """Check the release in a folder, or in a ZIP archive as it is downloaded."""
    outcome = Outcome()
    try:
        with _folder_of(place) as folder:
            outcome.manifest = read_manifest(folder)
            outcome.copy = sha256(folder / COPY) if (folder / COPY).is_file() else ""
            release = Release(folder, outcome.manifest, with_intervals=with_intervals)
            for name, check in CHECKS.items():
                outcome.found[name] = _findings(release, check)
    except UnreadableError as error:
        findings = outcome.found.setdefault(next(iter(CHECKS)), Findings())
        findings.complain(MANIFEST, str(error))
    return outcome


def _findings(release: Release, check: Check) -> Findings:
    findings = Findings()
    if release.is_comparison and check in OF_DATASETS:
        findings.leave("all of it", COMPARISON)
        return findings
    try:
        check(release, findings)
    except UnreadableError as error:
        findings.problems.append(Complaint("what this check reads", str(error)))
    except BROKEN as error:
        what = f"cannot be computed: {type(error).__name__}: {error}"
        findings.problems.append(Complaint("what this check reads", what))
    return findings


@contextmanager
def _folder_of(place: Path) -> Iterator[Path]:
    if place.is_dir():
        yield place
    elif zipfile.is_zipfile(place):
        with tempfile.TemporaryDirectory() as folder:
            yield _unpacked(place, Path(folder))
    else:
        raise UnreadableError(f"{place} is neither a folder nor a ZIP archive")


def _unpacked(archive: Path, folder: Path) -> Path:
    """The folder with the manifest: the archive's own, or the one folder in it."""
    try:
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(folder)  # which leaves no name outside of the folder
    except (
        OSError,
        EOFError,
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
        NotImplementedError,
        RuntimeError,
        zlib.error,
    ) as error:
        raise UnreadableError(f"{archive}: cannot be unpacked: {error}") from error
    inside = list(folder.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else folder


def as_json(outcome: Outcome) -> dict[str, Any]:
    manifest = outcome.manifest
    return {
        "study": manifest.get("study"),
        "release": manifest.get("release"),
        "touchstone": manifest.get("touchstone"),
        "is_good": outcome.is_good,
        "checks": [
            {
                "check": number,
                "name": name,
                "problems": [_as_json(each) for each in findings.problems],
                "not_checked": [
                    {"path": path, "number": n, "why": why}
                    for (path, why), n in sorted(findings.not_checked.items())
                ],
            }
            for number, (name, findings) in enumerate(outcome.found.items(), start=1)
        ],
    }


def _as_json(problem: Any) -> dict[str, Any]:
    if isinstance(problem, Complaint):
        return {"path": problem.path, "message": problem.message}
    values = (problem.computed, problem.written)
    computed, written = (each if _is_json(each) else repr(each) for each in values)
    return {"path": problem.path, "computed": computed, "written": written}


def _is_json(value: object) -> bool:
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return False
    return True


def lines(outcome: Outcome) -> Iterator[str]:
    """What was found, as text."""
    manifest = outcome.manifest
    if manifest:
        yield (
            f"Release {manifest.get('release')} of the study {manifest.get('study')},"
            f" by Touchstone {manifest.get('touchstone')}"
        )
    for number, (name, findings) in enumerate(outcome.found.items(), start=1):
        n = len(findings.problems)
        yield f"{number}. {name}: {f'NO: {n} found' if n else 'no problem'}"
        yield from (f"   {problem}" for problem in findings.problems[:SHOWN])
        if n > SHOWN:
            yield f"   ... and {n - SHOWN} more; --json lists all"
        yield from _not_checked(findings)
    last = "Nothing contradicts." if outcome.is_good else "The release is not what it must be."
    has_all = not any(why == INSTALL for of in outcome.found.values() for _, why in of.not_checked)
    yield last if has_all else f"{last} {NOT_CHECKED}"


def _not_checked(findings: Findings) -> Iterator[str]:
    """A line for each reason, with up to three paths."""
    by_reason: dict[str, list[tuple[str, int]]] = {}
    for (path, why), n in sorted(findings.not_checked.items()):
        by_reason.setdefault(why, []).append((path, n))
    for why, paths in by_reason.items():
        more = f" and {len(paths) - 3} paths more" if len(paths) > 3 else ""
        first = ", ".join(f"{path} ({n})" if n > 1 else path for path, n in paths[:3])
        yield f"   not checked: {first}{more}: {why}"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Verify a release: README.md says what it holds.")
    here = Path(__file__).resolve().parent
    parser.add_argument(
        "place",
        nargs="?",
        default=here,
        help="its folder, or a ZIP archive of it; without it the folder that verify.py is in",
    )
    parser.add_argument("--json", action="store_true", help="print all that is found as JSON")
    parser.add_argument(
        "--intervals",
        action="store_true",
        help="check the bootstrap intervals too, which takes longer",
    )
    asked = parser.parse_args(arguments)
    outcome = verify(Path(asked.place), with_intervals=asked.intervals)
    whole = json.dumps(as_json(outcome), indent=1, sort_keys=True) if asked.json else ""
    for line in [whole] if asked.json else lines(outcome):
        print(line.encode("ascii", "backslashreplace").decode("ascii"))
    return 0 if outcome.is_good else 1


if __name__ == "__main__":
    sys.exit(main())
