"""The files of a release: all that the manifest names, unchanged, and no others."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from exports.verification.findings import Findings, Problem
from exports.verification.tables import UnreadableError, read_json

MANIFEST = "manifest.json"
AT_ONCE = 1 << 20


def read_manifest(folder: Path) -> dict[str, Any]:
    manifest = read_json(folder, MANIFEST)
    files = manifest.get("files") if isinstance(manifest, dict) else None
    if not isinstance(files, dict) or not all(isinstance(each, str) for each in files.values()):
        raise UnreadableError(f"{MANIFEST}: has no sha256 of files: this is no folder of a release")
    return dict(manifest)


def check_files(folder: Path, digests: Mapping[str, str], findings: Findings) -> None:
    there = dict(_entries(folder))
    for name, digest in sorted(digests.items()):
        if not _is_inside(name):
            findings.complain(name, "the manifest names a file outside of the folder")
        elif name not in there:
            findings.complain(name, "is in the manifest and not in the folder")
        elif there[name]:
            findings.complain(name, there[name])
        else:
            _check_file(folder, name, digest, findings)
    for name in sorted(there.keys() - digests.keys() - {MANIFEST}):
        findings.complain(name, "is in the folder and not in the manifest")
    if there.get(MANIFEST):
        findings.complain(MANIFEST, there[MANIFEST])


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return bool(name) and not path.is_absolute() and ".." not in path.parts and "\\" not in name


def _check_file(folder: Path, name: str, digest: str, findings: Findings) -> None:
    try:
        found = sha256(folder / name)
    except OSError as error:
        findings.complain(name, f"cannot be read: {error.strerror or error}")
        return
    if found != digest:
        findings.problems.append(Problem(f"{MANIFEST}.files.{name}", found, digest))


def sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for part in iter(lambda: file.read(AT_ONCE), b""):
            digest.update(part)
    return digest.hexdigest()


def _entries(folder: Path) -> Iterator[tuple[str, str]]:
    """All files below the folder, each with what is wrong with it as a file. Links are not followed."""
    for parent, names, files in os.walk(folder):
        for name in [*files, *(each for each in names if Path(parent, each).is_symlink())]:
            path = Path(parent, name)
            problem = "is a link, not a file" if path.is_symlink() else ""
            yield (
                path.relative_to(folder).as_posix(),
                problem or ("" if path.is_file() else "is no file"),
            )
